// @ts-check
'use strict';
// Owns: `navigator`: information about the machine and rt.

const { ObjectDefineProperty, ObjectFreeze, intact } = require('internal/primordials');
const native = host.native;
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const kOwn = Symbol('own');

class Navigator {
  /** @param {any} [token] */
  constructor(token = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    return native.os_parallelism();
  }
  get language() {
    return new Intl.DateTimeFormat().resolvedOptions().locale;
  }
  get languages() {
    return ObjectFreeze([this.language]);
  }
  get userAgent() {
    return startValues.userAgent;
  }
  get locks() {
    return require('web/locks').locks;
  }
  get platform() {
    const [system, , , , machine] = intact(native.os_names());
    return `${system} ${machine}`;
  }
}
for (const name of intact(['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform', 'locks'])) {
  ObjectDefineProperty(Navigator.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(Navigator.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Navigator' });

module.exports = { Navigator, navigator: new Navigator(kOwn) };
