'use strict';
// Owns: what each kind of module sees of the other: names of CommonJS for an import, what require() gives of an ES module.

const {
  ArrayIncludes,
  ArrayPush,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');

const viewed = new WeakMap();

/**
 * What require() of an ES module returns: its export named `module.exports`, or its namespace. With a default export the
 * namespace has `__esModule`, which the output of compilers asks for: a proxy adds it, as a namespace takes no new properties.
 */
function esModuleExports(namespace) {
  // `in` does not read the binding: it may have no value yet, and a read would throw.
  if ('module.exports' in namespace) return namespace['module.exports'];
  if (!('default' in namespace) || '__esModule' in namespace) return namespace;
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

/**
 * Exports as an ES module sees them: [names, object to read them from, names whose getters were not called, exports].
 * A getter may do work, or warn; it is called here if the lexer has seen the name in the text (`known`), or if a compiler
 * made it for a binding (`__esModule`), and else when an import asks for the name (`readForImport`). In a package of ES modules
 * (`isWhole`) the default export is all exports and `__esModule` a name like others, as in Node; elsewhere it is a mark, as in the peer.
 */
function importView(exports, known, isWhole = false) {
  const isObject = exports !== null && (typeof exports === 'object' || typeof exports === 'function');
  const view = { __proto__: null };
  const unread = [];
  if (isObject) {
    const isCompiled = known === undefined || exports.__esModule;
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
    if (isWhole && exports.__esModule) view.__esModule = exports.__esModule;
    else if (exports.__esModule && 'default' in exports) {
      view.default = exports.default;
      return [ObjectKeys(view), view, unread, exports];
    }
  }
  view.default = exports;
  return [ObjectKeys(view), view, unread, exports];
}

function isUnasked(exports, key, known) {
  return ObjectGetOwnPropertyDescriptor(exports, key)?.get !== undefined && !ArrayIncludes(known, key);
}

/** Add non-enumerable values whose names the lexer has seen in the text; `__esModule` is only a mark and is left out. */
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

/** Call the getters of `names` now. */
function readForImport(exports, view, names) {
  for (const name of intact(names)) read(exports, name, view);
}

module.exports = { esModuleExports, importView, readForImport };
