// Prints values identically under every runtime: errors by their text and own properties, without frames.
const { inspect } = require('node:util');

function plain(value) {
  if (value instanceof Error) return { error: `${value}`, ...value };
  return Array.isArray(value) ? value.map(plain) : value;
}

module.exports = (...values) => {
  process.stdout.write(`${values.map((value) => inspect(plain(value), { depth: 6, breakLength: Infinity })).join(' ')}\n`);
};
