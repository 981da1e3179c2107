// DOMExceptions, and instances of classes that extend DOMException, are native errors.
const util = require('util');

class Own extends DOMException {
  constructor() {
    super('m', 'AbortError');
    this.x = 1;
  }
}
const log = (...values) => process.stdout.write(`${values.map((value) => util.inspect(value, { compact: true, breakLength: Infinity })).join(' ')}\n`);
const quota = new QuotaExceededError('q', { quota: 1, requested: 2 });
for (const error of [new DOMException('a', 'AbortError'), new Own(), new DOMException('q', { name: 'X', cause: 1 }), quota]) {
  log(Error.isError(error), util.types.isNativeError(error), Object.prototype.toString.call(error), error instanceof Error);
  log(Reflect.ownKeys(error), typeof error.stack, error.stack.split('\n')[0], JSON.stringify(error), Object.keys(error), String(error));
  const copy = structuredClone(error);
  log(copy instanceof DOMException, copy.name, copy.message, copy.code, Error.isError(copy), copy.constructor.name);
}
log(Object.getPrototypeOf(DOMException) === Function.prototype, DOMException.length, Reflect.construct(DOMException, ['a'], Array) instanceof Array);
for (const receiver of [{}, null, DOMException.prototype, new Error('x')]) {
  for (const member of ['name', 'message', 'code']) {
    try {
      log(Object.getOwnPropertyDescriptor(DOMException.prototype, member).get.call(receiver));
    } catch (error) {
      log(error.name, error.code);
    }
  }
}
try {
  DOMException();
} catch (error) {
  log(error.name, error.message);
}
