// @ts-check
'use strict';
// Owns: how the runtime's own modules find each other, and the `host` they are given. Runs first while the start-up
// snapshot is built; nothing of a process (time, environment, arguments) may be read here or by modules as they load.
// The snapshot keeps the modules that `runtime` needs at once; all others are read from their files when first required.
(function (globalThis) {
  const native = globalThis.__host;
  delete globalThis.__host;
  const bodies = { __proto__: null };
  const names = { __proto__: null };
  const modules = { __proto__: null };
  // Modules whose load an error or a termination of execution ended: they run again, with the exports object that others have.
  const halfMade = { __proto__: null };
  // The modules that are being loaded, outermost first.
  const underWay = { __proto__: null };
  let underWayCount = 0;
  const host = {
    __proto__: null,
    native,
    isLoaded: (id) => id in modules,
    hasModule: (id) => id in names,
    loadsUnderWay: () => underWayCount,
    forgetLoads,
  };

  function internalRequire(id) {
    let module = modules[id];
    if (module === undefined) {
      if (!(id in names)) throw new Error(`rt has no internal module "${id}"`);
      const body = bodies[id] ?? native.core_libraryModule(id);
      module = modules[id] = halfMade[id] ?? { exports: {} };
      const depth = underWayCount;
      underWay[depth] = id;
      underWayCount = depth + 1;
      let isWhole = false;
      try {
        body(module.exports, internalRequire, module, host);
        isWhole = true;
      } finally {
        // No function is called here: after a stack overflow there is no room for a call.
        underWayCount = depth;
        if (!isWhole) {
          halfMade[id] = module;
          delete modules[id];
        }
      }
    }
    return module.exports;
  }

  /** Give up the loads beyond the first `depth`: execution was ended in the middle of them, where no `finally` runs. */
  function forgetLoads(depth) {
    while (underWayCount > depth) {
      const id = underWay[--underWayCount];
      halfMade[id] = modules[id];
      delete modules[id];
    }
  }

  globalThis.__rt = {
    define(name, body) {
      names[name] = true;
      bodies[name] = body;
    },
    require: internalRequire,
    has: (name) => name in names,
    /** Called last while the snapshot is built: modules that have not run stay outside of it. Returns the names of those in it. */
    forgetUnused() {
      for (const name in bodies) delete bodies[name];
      const made = ['boot/bootstrap'];
      for (const name in modules) made.push(name);
      return made.join('\n');
    },
    host,
  };
})(globalThis);
