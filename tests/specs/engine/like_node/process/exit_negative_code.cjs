// process.exit with a negative code.
process.on('exit', (c) => console.log('exit', c, process.exitCode)); process.exit(-1)