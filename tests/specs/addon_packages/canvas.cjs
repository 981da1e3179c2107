const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { createCanvas, Path2D, loadImage } = require('@napi-rs/canvas');
const c = createCanvas(50, 40);
const x = c.getContext('2d');
x.fillStyle = '#f80';
x.fillRect(0, 0, 25, 40);
const p = new Path2D();
p.arc(30, 20, 10, 0, 7);
x.fillStyle = 'blue';
x.fill(p);
const d = x.getImageData(0, 0, 50, 40);
console.log(d.data.slice(0, 4), d.data.slice(4 * (20 * 50 + 30), 4 * (20 * 50 + 30) + 4));
const b = c.toBuffer('image/png');
console.log(b.length, b.subarray(1, 4).toString());
(async () => {
  const e = await c.encode('jpeg', 90);
  console.log(e.length);
  const i = await loadImage(b);
  console.log(i.width, i.height);
})();
