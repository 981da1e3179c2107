// Chained child processes, and a large amount of data through one.
const { spawn } = require('node:child_process');
const { pipeline } = require('node:stream');
const results = {};
const gather = (name, child) => {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
  child.on('close', (code) => { results[name] = [code, text.length > 100 ? text.length : text]; });
};
const grep = spawn('grep', ['o']);
const sed = spawn('sed', ['s/o/O/']);
spawn('echo', ['hello\nnode\nand\nworld\n']).stdout.pipe(grep.stdin);
grep.stdout.pipe(sed.stdin);
gather('sed', sed);

const cat = spawn('cat');
gather('cat', cat);
const block = Buffer.alloc(1024, 'x');
setTimeout(() => {
  for (let i = 0; i < 500; i++) cat.stdin.write(block);
  cat.stdin.end(block);
}, 5);

const last = spawn('cat');
gather('last', last);
pipeline(spawn('echo', ['through a pipeline']).stdout, last.stdin, (error) => { results.pipeline = error; });
process.on('exit', () => process.stdout.write(`${JSON.stringify(Object.entries(results).sort())}\n`));
