'use strict';
// Owns: the results of RT.$: ShellOutput, and ShellError for a non-zero exit status.

const { JSONParse, JSONStringify, ObjectDefineProperty, ObjectEntries, SymbolFor, intact } = require('internal/primordials');

/** The methods shared by ShellOutput and ShellError. */
const forms = {
  text(encoding) {
    return this.stdout.toString(encoding);
  },
  json() {
    return JSONParse(this.stdout.toString());
  },
  arrayBuffer() {
    return this.bytes().buffer;
  },
  bytes() {
    return new Uint8Array(this.stdout);
  },
  blob() {
    return new (require('web/blob/blob').Blob)([this.stdout]);
  },
};

function addForms(prototype) {
  for (const { 0: name, 1: value } of intact(ObjectEntries(forms))) {
    ObjectDefineProperty(prototype, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
}

class ShellOutput {
  constructor(stdout, stderr, exitCode) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.exitCode = exitCode;
  }
}
addForms(ShellOutput.prototype);

const INSPECT = SymbolFor('nodejs.util.inspect.custom');

/** Makes a report of an error show the text of its output, not the bytes. */
function showAsText(output) {
  if (output === undefined) return undefined;
  const value = () => JSONStringify(output.toString());
  return ObjectDefineProperty(output, INSPECT, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

class ShellError extends Error {
  constructor(stdout, stderr, exitCode) {
    super(`Failed with exit code ${exitCode}`);
    this.exitCode = exitCode;
    this.stdout = showAsText(stdout);
    this.stderr = showAsText(stderr);
    this.name = 'ShellError';
    ObjectDefineProperty(this, 'info', {
      __proto__: null,
      value: { exitCode, stderr, stdout },
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
addForms(ShellError.prototype);

module.exports = { ShellOutput, ShellError };
