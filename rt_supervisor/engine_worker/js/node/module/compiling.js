// @ts-check
'use strict';
// Owns: what `Module.prototype._compile` does with a text. A file goes through it only where a program has put something in the way
// (a `_compile` or `fs.readFileSync` of its own): it gets what the file holds, with Node's name of its format, and what it hands on
// is compiled here. A text that it left alone is loaded as if nobody had asked.

const native = host.native;
const { StringEndsWith, WeakMapDelete, WeakMapGet, WeakMapSet } = require('internal/primordials');
const { compileFormatOf } = require('node/module/formats');

const handedOver = new WeakMap(); // module -> { text, load }

/** Have `module._compile` load a file whose text is `text` or, if nobody has changed that, undefined; `load` does it without. */
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

/** Whether `text` is what the file of `module` holds; it is loaded then. */
function loadedAsItIs(module, text) {
  const own = WeakMapGet(handedOver, module);
  if (own?.text !== text) return false;
  own.load();
  return true;
}

const isTypeScript = (format) => format !== undefined && StringEndsWith(`${format}`, 'typescript');

const isModule = (format) => format === 'module' || format === 'module-typescript';

/** The code that runs for `text`, for who wraps it in his own way. */
const plainCode = (module, text, filename, format) =>
  isTypeScript(format) || WeakMapGet(handedOver, module)?.text === text
    ? native.modules_transpiledText(filename, text, isTypeScript(format) ? 'ts' : '')
    : text;

/** The function that runs `text` as CommonJS; undefined where it was an ES module, whose exports `module` has now. */
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

module.exports = { compileFile, loadedAsItIs, plainCode, compileText };
