// The operators of Readable as methods: their names and lengths, and that they are not constructors.
const { Readable } = require('node:stream');
for (const name of ['drop', 'filter', 'flatMap', 'map', 'take', 'every', 'forEach', 'reduce', 'toArray', 'some', 'find']) {
  const { value, ...rest } = Object.getOwnPropertyDescriptor(Readable.prototype, name);
  let made;
  try {
    made = typeof new value(1);
  } catch (error) {
    made = error.name;
  }
  process.stdout.write(`${name} ${value.name} ${value.length} ${made} ${JSON.stringify(rest)}\n`);
}
