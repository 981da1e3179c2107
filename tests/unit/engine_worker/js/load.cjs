'use strict';
// Loads rt's own JavaScript library under Node, with the host interface implemented by Node's internals. rt itself evaluates
// the same files in the same wrapper while it builds the start-up snapshot.

const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const folder = path.join(__dirname, '../../../../rt_supervisor/engine_worker/js');

exports.load = function load(host) {
  const modules = new Map();
  const requireModule = (name) => {
    let module = modules.get(name);
    if (module === undefined) {
      module = { exports: {} };
      modules.set(name, module);
      const file = path.join(folder, `${name}.js`);
      const run = vm.compileFunction(fs.readFileSync(file, 'utf8'), ['exports', 'require', 'module', 'host'], { filename: file });
      run(module.exports, requireModule, module, host);
    }
    return module.exports;
  };
  return requireModule;
};
