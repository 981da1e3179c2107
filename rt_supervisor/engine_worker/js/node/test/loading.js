'use strict';
// Owns: `import()` for the test runner, whose own files are part of the snapshot and cannot import.

let dynamicImport;

/** The namespace of the module at `url`. */
function load(url) {
  if (dynamicImport === undefined) {
    const { Script } = require('node/vm/script');
    const { AS_PROGRAM } = require('node/vm/imports');
    dynamicImport = new Script('(url) => import(url)', { importModuleDynamically: AS_PROGRAM }).runInThisContext();
  }
  return dynamicImport(url);
}

module.exports = { load };
