// @ts-check
'use strict';
// Owns: the module system of the runtime's own JavaScript, and the `host` that its modules receive. Runs first while the
// start-up snapshot is built; neither this file nor a module that loads may read process state (time, environment, arguments).
// The snapshot contains the modules that `runtime` requires eagerly; all others are loaded from their files on first use.
(function (globalThis) {
  const native = globalThis.__host;
  delete globalThis.__host;
  const bodies = { __proto__: null };
  const names = { __proto__: null };
  const modules = { __proto__: null };
  // Modules whose load was interrupted by an error or by terminated execution. They run again with the same exports object,
  // which other modules may already hold.
  const partialModules = { __proto__: null };
  // The modules being loaded, outermost first.
  const loading = { __proto__: null };
  let loadingDepth = 0;
  const host = {
    __proto__: null,
    native,
    isLoaded: (id) => id in modules,
    hasModule: (id) => id in names,
    loadingDepth: () => loadingDepth,
    forgetLoads,
  };

  function internalRequire(id) {
    let module = modules[id];
    if (module === undefined) {
      if (!(id in names)) throw new Error(`rt has no internal module "${id}"`);
      const body = bodies[id] ?? native.core_libraryModule(id);
      module = modules[id] = partialModules[id] ?? { exports: {} };
      const depth = loadingDepth;
      loading[depth] = id;
      loadingDepth = depth + 1;
      let isWhole = false;
      try {
        body(module.exports, internalRequire, module, host);
        isWhole = true;
      } finally {
        // No function calls here: after a stack overflow there is no stack space for one.
        loadingDepth = depth;
        if (!isWhole) {
          partialModules[id] = module;
          delete modules[id];
        }
      }
    }
    return module.exports;
  }

  /** Abandons the loads beyond the first `depth`: execution was terminated during them, and their `finally` blocks do not run. */
  function forgetLoads(depth) {
    while (loadingDepth > depth) {
      const id = loading[--loadingDepth];
      partialModules[id] = modules[id];
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
    /**
     * Called last while the snapshot is built: drops modules that have not run, so that they stay out of it. Returns the names
     * of those in it.
     */
    forgetUnused() {
      for (const name in bodies) delete bodies[name];
      const made = ['boot/bootstrap'];
      for (const name in modules) made.push(name);
      return made.join('\n');
    },
    host,
  };
})(globalThis);
