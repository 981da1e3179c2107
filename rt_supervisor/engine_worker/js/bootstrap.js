'use strict';
// Owns: how the runtime's own modules find each other, and the `host` they are given. Runs first while the start-up
// snapshot is built; nothing of a process (time, environment, arguments) may be read here or by modules as they load.
(function (globalThis) {
  const native = globalThis.__host;
  delete globalThis.__host;
  const bodies = { __proto__: null };
  const modules = { __proto__: null };
  const host = { __proto__: null, native };

  function internalRequire(name) {
    const id = name.startsWith('./') ? name.slice(2) : name;
    let module = modules[id];
    if (module === undefined) {
      const body = bodies[id];
      if (body === undefined) throw new Error(`rt has no internal module "${id}"`);
      module = modules[id] = { exports: {} };
      body(module.exports, internalRequire, module, host);
    }
    return module.exports;
  }

  globalThis.__rt = {
    define(name, body) { bodies[name] = body; },
    require: internalRequire,
    has: (name) => name in bodies,
    host,
  };
})(globalThis);
