// Prints every member of Node's modules and of globalThis, one a line: the name, and for functions their `length`.
process.on('unhandledRejection', () => {});
const { builtinModules } = require('node:module');
const OF_FUNCTIONS = new Set(['prototype', 'length', 'name', 'arguments', 'caller']);
const found = {};

function list(prefix, object, depth) {
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'symbol' || key.startsWith('_') || key === 'constructor' || (typeof object === 'function' && OF_FUNCTIONS.has(key))) continue;
    let value;
    try {
      value = depth === 0 ? Object.getOwnPropertyDescriptor(object, key).value : object[key];
    } catch {
      // a getter that requires another receiver
    }
    found[prefix + key] = typeof value === 'function' ? value.length : null;
    if (typeof value !== 'function' || depth === 0) continue;
    list(`${prefix}${key}.`, value, 0);
    if (value.prototype !== null && typeof value.prototype === 'object') list(`${prefix}${key}#`, value.prototype, 0);
  }
}
for (const name of builtinModules) if (!/^(?:bun|rt)/.test(name)) list(`${name}.`, require(name), 1);
list('globalThis.', globalThis, 1);
for (const name of Object.keys(found).sort()) console.log(name, found[name] ?? '');
