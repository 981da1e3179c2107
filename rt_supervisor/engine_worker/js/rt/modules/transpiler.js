'use strict';
// Owns: RT.Transpiler: transpiling source text, and listing its imports and exports. The host does the work. Options: loader,
// define, target, tsconfig, trimUnusedImports. Options about output size (minify and similar) are ignored; `exports` and
// `macro` would change the meaning of the output and are rejected.

const {
  ArrayAt,
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  ArraySlice,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectKeys,
  intact,
} = require('internal/primordials');
const native = host.native;

const LOADERS = ['js', 'jsx', 'ts', 'tsx'];
const KINDS = {
  __proto__: null,
  import: 'import-statement',
  export: 'import-statement',
  dynamic: 'dynamic-import',
  require: 'require-call',
  resolve: 'require-resolve',
};
const TARGETS = ['browser', 'node', 'bun', 'rt', 'macro'];

const { wrongType } = require('internal/errors/errors');

function checkedLoader(loader) {
  if (loader === undefined || loader === null) return undefined;
  if (!ArrayIncludes(LOADERS, loader))
    throw wrongType(`invalid loader - must be ${ArrayJoin(ArraySlice(LOADERS, 0, -1), ', ')} or ${ArrayAt(LOADERS, -1)}`);
  return loader;
}

function checkedDefine(define) {
  return ArrayMap(ObjectEntries(define ?? {}), ({ 0: name, 1: value }) => {
    if (typeof value !== 'string') throw wrongType(`define "${name}" must be a JSON string`);
    return [name, value];
  });
}

function compilerOptionsOf(tsconfig) {
  if (tsconfig === undefined || tsconfig === null) return {};
  const config = typeof tsconfig === 'string' ? require('rt/documents/documents').JSONC.parse(tsconfig) : tsconfig;
  return config.compilerOptions ?? {};
}

function sourceOf(code, method) {
  if (typeof code === 'string') return code;
  const bytes = code !== null && typeof code === 'object' ? require('internal/bytes').bytesOf(code) : undefined;
  if (bytes === undefined) throw wrongType(`Expected code to be a string or Uint8Array for '${method}'.`);
  return native.decodeUtf8(bytes);
}

class Transpiler {
  #loader;
  #settings;

  constructor(options = {}) {
    if (options === null || typeof options !== 'object') throw wrongType('Expected an object');
    for (const name of intact(['exports', 'macro'])) {
      if (options[name] !== undefined && ObjectKeys(options[name] ?? {}).length > 0)
        throw new Error(`Transpiler: the option "${name}" is not available in rt`);
    }
    if (options.target !== undefined && !ArrayIncludes(TARGETS, options.target))
      throw wrongType(`target must be one of ${ArrayJoin(TARGETS, ', ')}`);
    this.#loader = checkedLoader(options.loader) ?? 'jsx';
    this.#settings = {
      define: checkedDefine(options.define),
      trimUnusedImports: Boolean(options.trimUnusedImports),
      compilerOptions: compilerOptionsOf(options.tsconfig),
    };
  }

  #run(code, loader, method) {
    const source = sourceOf(code, method);
    const answer = native.transpiler_transform(source, checkedLoader(loader) ?? this.#loader, this.#settings);
    if (answer.problem !== undefined) throw new SyntaxError(answer.problem);
    return answer;
  }

  #imports(answer) {
    return ArrayMap(answer.requests, ({ 0: path, 1: kind }) => ({ kind: KINDS[kind], path }));
  }

  transformSync(code, loader = undefined) {
    return this.#run(code, loader, 'transformSync').code;
  }
  async transform(code, loader = undefined) {
    return this.#run(code, loader, 'transform').code;
  }

  scan(code) {
    const answer = this.#run(code, undefined, 'scan');
    return { exports: answer.exports, imports: this.#imports(answer) };
  }
  scanImports(code) {
    return this.#imports(this.#run(code, undefined, 'scanImports'));
  }
}
ObjectDefineProperty(Transpiler.prototype, Symbol.toStringTag, { __proto__: null, value: 'Transpiler', configurable: true });

module.exports = { Transpiler };
