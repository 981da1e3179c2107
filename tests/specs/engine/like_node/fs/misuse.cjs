// Warnings and errors for misuse of node:fs: existsSync without a path, a mkdtemp prefix ending in X (one warning
// each), a Dir getter on another receiver.
const fs = require('node:fs');

process.on('warning', ({ name, code, message }) => console.log(name, code, message));
console.log(fs.existsSync(), fs.existsSync({}), fs.existsSync(1), fs.existsSync('nowhere'));
for (const prefix of ['made.', 'made.X', Buffer.from('made.X')]) fs.rmdirSync(fs.mkdtempSync(prefix));

const folder = fs.opendirSync('.');
console.log(folder.path, Object.keys(folder), Object.getOwnPropertyDescriptor(fs.Dir.prototype, 'path').enumerable);
folder.closeSync();
try {
  fs.Dir.prototype.path;
} catch (error) {
  console.log(error.code, error.message);
}

const { Worker } = require('node:worker_threads');
const code = 'try { process.execve("/bin/true") } catch (error) { console.log(error.name, error.code, error.message) }';
new Worker(code, { eval: true });
