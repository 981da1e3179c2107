// @ts-check
'use strict';
// Owns: the way to OpenSSL: the native crypto module's functions, calls of them on another thread, and objects of it that
// JavaScript holds by number and that are forgotten with their holder. Loaded at the first use of cryptography.

const { FinalizationRegistryRegister } = require('internal/primordials');
const native = host.native;

let functions;
/** The native module's functions by name. */
const binding = () => (functions ??= native.crypto_binding());

const abandoned = { __proto__: null };

/** Have the native object `number` of `holder` given up with `free` (a function's name) when nobody has the holder any more. */
function watch(holder, free, number) {
  abandoned[free] ??= new FinalizationRegistry((each) => binding()[free](each));
  FinalizationRegistryRegister(abandoned[free], holder, number);
}

/** Call `name` on another thread; `callback(error)` or `callback(undefined, result)` in a later turn. */
const later = (name, args, callback) => native.crypto_later(name, args, callback);

/** As `later`, as a promise. */
const promised = (name, args) =>
  new Promise((resolve, reject) => {
    later(name, args, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

module.exports = { binding, watch, later, promised };
