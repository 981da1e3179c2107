'use strict';
// Owns: interoperability of module kinds: the names that a CommonJS module exports to an import, and the result of require()
// of an ES module.

const {
  ArrayFilter,
  ArrayIncludes,
  ArrayPush,
  ObjectGetOwnPropertyDescriptor,
  ObjectHasOwn,
  ObjectKeys,
  StringIncludes,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');

const startValues = require('internal/start_values');

const viewed = new WeakMap();

/**
 * The result of require() of an ES module: its export named `module.exports`, or its namespace. With a default export it has
 * `__esModule`, which compiled code checks for. The namespace of a module that is being evaluated does not: a proxy adds it.
 */
function esModuleExports(namespace) {
  // `in` does not read the binding: it may be uninitialised, and a read would throw.
  if ('module.exports' in namespace) return namespace['module.exports'];
  if (!needsFacade(namespace)) return namespace;
  let view = WeakMapGet(viewed, namespace);
  if (view === undefined) {
    view = new Proxy(namespace, {
      __proto__: null,
      get: (target, key) => (key === '__esModule' ? true : target[key]),
      has: (target, key) => key === '__esModule' || key in target,
    });
    WeakMapSet(viewed, namespace, view);
  }
  return view;
}

/** Whether a compiler has marked the exports as those of an ES module. A proxy may refuse to read a name that it lacks. */
const isMarked = (exports) => ObjectHasOwn(exports, '__esModule') && exports.__esModule;

/**
 * CommonJS exports as seen by an ES module: [names, object to read them from, names whose getters were not called, exports].
 * A getter may do work, or emit a warning. It is called here if the lexer has found the name in the source (`known`), or if a
 * compiler generated it for a binding (`__esModule`); otherwise when an import requests the name (`readForImport`). In a
 * package of ES modules (`isWhole`) the default export is all exports and `__esModule` an ordinary name, as in Node;
 * elsewhere it is a marker, as in the peer.
 */
function importView(exports, known, isWhole = false) {
  const isNode = startValues.programName === 'node';
  const isObject = exports !== null && (typeof exports === 'object' || typeof exports === 'function');
  const view = { __proto__: null };
  const unread = [];
  if (isObject) {
    const isCompiled = known === undefined || isMarked(exports);
    for (const key of intact(ObjectKeys(exports))) {
      if (key === 'default' || (key === '__esModule' && known !== undefined && !isWhole)) continue;
      if (!isCompiled && isUnasked(exports, key, known)) {
        view[key] = undefined;
        ArrayPush(unread, key);
      } else {
        read(exports, key, view);
      }
    }
    if (known !== undefined) readHidden(exports, known, view);
    if (isWhole && isMarked(exports)) view.__esModule = exports.__esModule;
    else if (isMarked(exports) && 'default' in exports) {
      view.default = exports.default;
      return [ObjectKeys(view), view, unread, exports];
    }
  }
  view.default = exports;
  if (isNode && known !== undefined) {
    for (const key of intact(known)) {
      // Declared, but not assigned. A name with a lone surrogate has not survived the lexer.
      if (!(key in view) && !StringIncludes(key, '\ufffd')) view[key] = undefined;
    }
    view['module.exports'] = exports;
  }
  return [ObjectKeys(view), view, unread, exports];
}

/**
 * CommonJS that runs when it is evaluated, as in Node: [names, object to read them from]. The first read calls `load`, which
 * runs it and returns its exports; `names` are those that the lexer has found. The default export is all exports.
 */
function laterView(names, load) {
  let loaded; // [exports]
  const view = new Proxy(
    { __proto__: null },
    {
      __proto__: null,
      get(_, key) {
        loaded ??= [load()];
        const { 0: exports } = loaded;
        if (key === 'default' || key === 'module.exports') return exports;
        if (exports === null || exports === undefined || !ObjectHasOwn(exports, key)) return undefined;
        try {
          return exports[key];
        } catch {
          return undefined; // a getter that throws
        }
      },
    },
  );
  return [[...intact(ArrayFilter(names, (name) => name !== 'module.exports')), 'default', 'module.exports'], view];
}

function isUnasked(exports, key, known) {
  return ObjectGetOwnPropertyDescriptor(exports, key)?.get !== undefined && !ArrayIncludes(known, key);
}

/** Adds non-enumerable values whose names the lexer has found in the source; `__esModule` is only a marker and is omitted. */
function readHidden(exports, known, view) {
  for (const key of intact(known)) {
    if (key in view || key === 'default' || key === '__esModule') continue;
    const property = ObjectGetOwnPropertyDescriptor(exports, key);
    if (property?.enumerable === false && property.value !== undefined) view[key] = property.value;
  }
}

function read(exports, key, view) {
  try {
    view[key] = exports[key];
  } catch {
    view[key] = undefined; // a getter that throws
  }
}

/** Calls the getters of `names`. */
function readForImport(exports, view, names) {
  for (const name of intact(names)) read(exports, name, view);
}

/** Whether require() of a module with this namespace returns another one, which has `__esModule`. */
const needsFacade = (namespace) => 'default' in namespace && !('__esModule' in namespace) && !('module.exports' in namespace);

module.exports = { needsFacade, esModuleExports, importView, laterView, readForImport };
