// @ts-check
'use strict';
// Owns: access to OpenSSL: the functions of the native crypto module, calls of them on another thread, and native objects that
// JavaScript refers to by number and that are freed after their holder. Loaded at the first use of cryptography.

const { FinalizationRegistryRegister } = require('internal/primordials');
const native = host.native;

let functions;
/** The native module's functions by name. */
const binding = () => (functions ??= native.crypto_binding());

const abandoned = { __proto__: null };

/** Frees the native object `number` with the native function named `free` once `holder` is garbage-collected. */
function watch(holder, free, number) {
  abandoned[free] ??= new FinalizationRegistry((each) => binding()[free](each));
  FinalizationRegistryRegister(abandoned[free], holder, number);
}

/** Calls `name` on another thread, then `callback(error)` or `callback(undefined, result)` in a later turn. */
const later = (name, args, callback) => native.crypto_later(name, args, callback);

/** Like `later`, but returns a promise. */
const callAsync = (name, args) =>
  new Promise((resolve, reject) => {
    later(name, args, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

module.exports = { binding, watch, later, callAsync };
