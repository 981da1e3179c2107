// process.exit called in an 'exit' listener.
process.on('exit', (c) => { console.log('exit', c); process.exit(5) }); process.exit(300)