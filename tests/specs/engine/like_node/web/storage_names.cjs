// Texts of a Storage whose names are also those of methods, of properties of the prototype, and symbols.
const storage = sessionStorage;
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return error.name;
  }
};
for (const name of ['length', 'a', 'toString', 'getItem']) storage.setItem(name, `the ${name}`);
console.log(Object.keys(storage).join(), Reflect.ownKeys(storage).sort().join(), JSON.stringify(storage), storage.length);
for (const name of ['length', 'a', 'toString', 'getItem', 'none']) {
  console.log(name, name in storage, Object.hasOwn(storage, name), typeof storage[name], storage.getItem(name), delete storage[name], storage.getItem(name));
}
Storage.prototype.inherited = 'of the prototype';
storage.inherited = 'own';
console.log(storage.inherited, storage.getItem('inherited'), Object.keys(storage).join(), delete storage.inherited, storage.getItem('inherited'));

const symbol = Symbol('symbol');
storage[symbol] = 'text';
console.log(storage[symbol], storage.length, delete storage[symbol], storage[symbol]);
Object.defineProperty(storage, 'defined', { value: 4 });
Object.defineProperty(storage, 'accessor', { get: () => 1 });
console.log(storage.getItem('defined'), storage.getItem('accessor'), attempt(() => Object.preventExtensions(storage)), Object.isExtensible(storage));

for (const index of [0, 1, -1, 2 ** 32, 2 ** 32 + 1, 1.9, -0.5, '1', 'x', NaN, Infinity, null, undefined, {}]) {
  storage.clear();
  storage.setItem('k', '1');
  storage.setItem('l', '2');
  console.log(String(index), storage.key(index));
}
for (const value of [Symbol(), 1n]) console.log(attempt(() => storage.key(value)), attempt(() => storage.setItem(value, 1)));
for (const receiver of [{}, null, Storage.prototype]) {
  console.log(['getItem', 'setItem', 'removeItem', 'key', 'clear'].map((name) => attempt(() => Storage.prototype[name].call(receiver, 'a', 'b'))).join());
}
console.log(attempt(() => Storage.prototype.length));
