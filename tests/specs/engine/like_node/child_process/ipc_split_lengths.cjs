// IPC messages whose length, or the bytes before it, are split between two reads; and a stream that another child used
// before.
'use strict';
const { spawn } = require('node:child_process');
if (process.argv[2] === 'child') {
  let left = 10;
  (function send() {
    if (left-- > 0) process.send(Buffer.alloc(Number(process.argv[3]), left), send);
    else process.disconnect();
  })();
} else {
  const next = (sizes) => {
    if (sizes.length === 0) return lent();
    const child = spawn(process.execPath, [__filename, 'child', `${sizes[0]}`], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const got = [];
    child.on('message', (message) => got.push([message.length, message[0], message[message.length - 1]]));
    child.on('close', () => {
      console.log(sizes[0], JSON.stringify(got));
      next(sizes.slice(1));
    });
  };
  const lent = () => {
    const cat = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    console.log(cat.stdin.readable, cat.stdin.writable, cat.stdout.readable);
    const head = spawn('head', ['-n1'], { stdio: [cat.stdout, 'pipe', 'inherit'] });
    cat.stdin.write('hello\n');
    head.stdout.setEncoding('utf8').on('data', (text) => console.log('head', text));
    head.on('exit', () => {
      cat.stdin.end('world\n');
      cat.stdout.setEncoding('utf8').on('data', (text) => console.log('cat', text));
      cat.stdout.resume();
    });
  };
  next([1, 65519, 65520, 65521, 65522, 65523, 65524, 65525, 65526, 200000]);
}
