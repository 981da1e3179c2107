// @ts-check
'use strict';
// Owns: the source passed to `Module.prototype._compile`. A file passes through it only if the program has replaced
// `_compile` or `fs.readFileSync`: the hook gets the file's contents with Node's name of their format, and the source that it
// passes on is compiled here. An unchanged source is loaded as if there were no hook.

const native = host.native;
const { StringEndsWith, WeakMapDelete, WeakMapGet, WeakMapSet } = require('internal/primordials');
const { compileFormatOf } = require('node/module/formats');

const handedOver = new WeakMap(); // module -> { text, load }

/**
 * Loads a file through `module._compile`; `text` is its source, or undefined if that was not replaced; `load` loads it
 * directly.
 */
function compileFile(module, filename, text, load) {
  const own = native.modules_sourceText(filename);
  if (text === undefined && own === undefined) {
    load();
    return;
  }
  WeakMapSet(handedOver, module, { text: own, load });
  try {
    module._compile(text ?? own, filename, compileFormatOf(filename));
  } finally {
    WeakMapDelete(handedOver, module);
  }
}

/** Whether `text` is the unchanged source of `module`; loads it in that case. */
function loadUnchanged(module, text) {
  const own = WeakMapGet(handedOver, module);
  if (own?.text !== text) return false;
  own.load();
  return true;
}

const isTypeScript = (format) => format !== undefined && StringEndsWith(`${format}`, 'typescript');

const isModule = (format) => format === 'module' || format === 'module-typescript';

/** The code that runs for `text`, for a program that uses its own wrapper. */
const plainCode = (module, text, filename, format) =>
  isTypeScript(format) || WeakMapGet(handedOver, module)?.text === text
    ? native.modules_transpiledText(filename, text, isTypeScript(format) ? 'ts' : '')
    : text;

/** The function that runs `text` as CommonJS; undefined if it was an ES module, whose exports are now those of `module`. */
function compileText(module, text, filename, format) {
  const loader = isTypeScript(format) ? 'ts' : '';
  if (isModule(format)) return beModule(module, text, filename, loader);
  let refusal;
  if (loader === '') {
    try {
      return native.modules_compileWrapper(text, filename);
    } catch (error) {
      if (format === 'commonjs' || error?.name !== 'SyntaxError') throw error;
      refusal = error;
    }
  }
  try {
    if (!native.modules_isModuleText(filename, text, loader))
      return native.modules_compileWrapper(native.modules_transpiledText(filename, text, loader), filename);
  } catch (error) {
    throw refusal ?? error;
  }
  return beModule(module, text, filename, loader);
}

function beModule(module, text, filename, loader) {
  const { esModuleExports } = require('node/module/exports_view');
  module.exports = esModuleExports(native.modules_requireSource(filename, text, loader || 'js'));
  return undefined;
}

module.exports = { compileFile, loadUnchanged, plainCode, compileText };
