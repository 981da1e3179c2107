'use strict';
// Owns: `import()` for the runner of tests: its own files cannot import, since they are part of the snapshot.

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
