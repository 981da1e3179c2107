// v8.queryObjects counts and lists instances of a class; an error thrown in a promise hook is an uncaught exception.
const v8 = require('node:v8');

class Base {
  x = 1;
}
class Derived extends Base {}
globalThis.kept = [new Base(), new Base(), new Derived()];
console.log(v8.queryObjects(Base), v8.queryObjects(Derived, { format: 'count' }), v8.queryObjects(class None {}));
console.log(v8.queryObjects(Base, { format: 'summary' }).sort().join());
for (const wrong of [[], [1], [() => {}], [Base, 1], [Base, null], [Base, { format: 'x' }]]) {
  try {
    console.log(v8.queryObjects(...wrong));
  } catch (error) {
    console.log(error.code, error.message);
  }
}

process.on('uncaughtException', (error) => console.log('uncaught', error.message));
for (const name of ['onInit', 'onSettled', 'onBefore', 'onAfter']) {
  const stop = v8.promiseHooks[name](() => {
    stop();
    throw new Error(name);
  });
}
Promise.resolve().then(() => console.log('then'));
