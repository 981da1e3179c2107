// @ts-check
'use strict';
// Owns: File: a Blob with a name and a modification date.

const { DateNow, MathTrunc, ObjectDefineProperty, StringToWellFormed, SymbolFor, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { consoleForm } = require('internal/inspect/rt_forms');
const { Blob, checkOptions } = require('web/blob/blob');
const { printBlob } = require('web/blob/printing');
const { inspectNamed } = require('internal/inspect/named');

const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = {}) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    const { lastModified } = checkOptions(options);
    this.#lastModified = lastModified === undefined ? DateNow() : MathTrunc(+lastModified) || 0;
    this.#name = StringToWellFormed(`${fileName}`);
  }

  get name() {
    if (!(typeof this === 'object' && this !== null && #name in this)) throw new codes.ERR_INVALID_THIS('File');
    return this.#name;
  }

  get lastModified() {
    if (!(typeof this === 'object' && this !== null && #name in this)) throw new codes.ERR_INVALID_THIS('File');
    return this.#lastModified;
  }

  [inspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    const fields = { size: this.size, type: this.type, name: this.#name, lastModified: this.#lastModified };
    return inspectNamed('File', fields, options, inspect);
  }

  [consoleForm](printer) {
    const type = this.type === '' ? {} : { type: this.type };
    printBlob(printer, 'File', this, { name: this.#name, ...type, lastModified: this.#lastModified });
  }
}
for (const name of intact(['name', 'lastModified']))
  ObjectDefineProperty(File.prototype, name, { __proto__: null, enumerable: true });
ObjectDefineProperty(File.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'File' });

module.exports = { File };
