const addon = require('./thrown.node');
const tried = (name, ...rest) => {
  try {
    return addon[name](...rest);
  } catch (error) {
    return error.message;
  }
};
for (const name of ['standard', 'derived', 'own', 'number', 'scoped', 'inside']) console.log(name, tried(name));
console.log('through', addon.through(addon.standard).message);
console.log('through', addon.through(() => tried('derived')));
for (let index = 0; index < 1000; index++) tried('standard');

// Uncatchable errors, one after the other.
process.on('uncaughtException', ({ message }) => {
  console.log('uncaught', message);
  if (message.includes('of the end')) addon.calls();
  if (message.includes('of a call')) {
    addon.wrap();
    setImmediate(gc);
  }
});
addon.hook();
addon.works();
