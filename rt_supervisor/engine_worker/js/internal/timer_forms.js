// @ts-check
'use strict';
// Owns: the console form of timers and immediates: their type and number.

const { ObjectDefineProperty, intact } = require('internal/primordials');
const { consoleForm } = require('internal/inspect/rt_forms');

function print(printer, name, id, repeats) {
  const end = repeats ? ', repeats)' : ')';
  if (printer.hasColors) printer.out += `\x1b[0m\x1b[34m${name}\x1b[0m \x1b[2m(#\x1b[33m${id}\x1b[0m\x1b[2m${end}\x1b[0m`;
  else printer.out += `${name} (#${id}${end}`;
}

/** Gives both classes their tags and that form. */
function nameTimers(Timeout, Immediate) {
  for (const Class of intact([Timeout, Immediate]))
    ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
  ObjectDefineProperty(Timeout.prototype, consoleForm, {
    __proto__: null,
    value(printer) {
      print(printer, 'Timeout', this._id, this._repeat !== null);
    },
  });
  ObjectDefineProperty(Immediate.prototype, consoleForm, {
    __proto__: null,
    value(printer) {
      print(printer, 'Immediate', this._id, false);
    },
  });
}

module.exports = { nameTimers };
