// Children one behind the other.
const { spawn } = require('child_process'); const { pipeline } = require('stream');
const grep = spawn('grep', ['o']), sed = spawn('sed', ['s/o/O/']), echo = spawn('echo', ['hello\nnode\nand\nworld\n']);
echo.stdout.pipe(grep.stdin); grep.stdout.pipe(sed.stdin); let r = ''; sed.stdout.on('data', (d) => r += d); sed.on('close', () => console.log(JSON.stringify(r)));
const big = spawn('cat'); let n = 0; big.stdout.on('data', (d) => n += d.length); big.on('close', () => console.log(n));
let buf = Buffer.alloc(1024, 'x'); setTimeout(function w() { for (let i = 0; i < 500; i++) big.stdin.write(buf); big.stdin.end(buf) }, 5);
pipeline(spawn('echo', ['pipelined']).stdout, spawn('cat', { stdio: ['pipe', 'inherit', 'inherit'] }).stdin, (e) => console.log('pipeline', e));
