const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const { Resvg } = require('@resvg/resvg-js');
const r = new Resvg(
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="red"/></svg>',
  { fitTo: { mode: 'width', value: 40 } },
);
const i = r.render();
console.log(i.width, i.height, [...i.pixels.subarray(0, 4)], i.asPng().length);
try {
  new Resvg('<nope');
} catch (e) {
  console.log(e.message, e.code);
}
