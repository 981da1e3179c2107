'use strict';
// Owns: what upper floors hand to lower ones, which may not require them. Each part is `undefined` until the file that it
// belongs to has come to life; that file puts it here, once.

module.exports = {
  __proto__: null,
  process: undefined,
  entry: undefined,
  uncaught: undefined,
  publicFs: undefined,
  worker: undefined,
  moduleHooks: undefined,
  cluster: undefined,
  coverage: undefined,
  tell: undefined,
  traceRequire: undefined,
  tellThrown: undefined,
  callFirst: undefined,
};
