// A write position that is not a number, such as an encoding passed in its place, means the current position.
const fs = require('fs');
const os = require('os');
const path = require('path');
const util = require('util');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'places-'));
const file = path.join(folder, 'x');
const fd = fs.openSync(file, 'w');
for (const place of ['utf8', 'latin1', 'x', '', null, undefined, 0, 2, -1, true, {}, 1.5]) console.log('text', place, fs.writeSync(fd, 'ab', place));
for (const place of ['utf8', null, undefined, 0, 2, -1, true, 1.5]) console.log('bytes', place, fs.writeSync(fd, Buffer.from('abc'), 0, 2, place));
console.log(fs.readFileSync(file, 'latin1'));
(async () => {
  for (const place of ['utf8', 'x', null, 0, true, {}, 1.5]) await new Promise((done) => fs.write(fd, 'ab', place, (error, size, data) => done(console.log('callback', place, error, size, data))));
  console.log(fs.readFileSync(file, 'latin1'));
  fs.rmSync(folder, { recursive: true });
  console.log(util._extend({ a: 1 }, { b: 2 }).b, util._extend.length);
})();
