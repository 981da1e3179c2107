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

  #isOne() {} // an access to this fails for an object that is not a Navigator

  get hardwareConcurrency() {
    this.#isOne();
    return native.os_parallelism();
  }
  get locks() {
    this.#isOne();
    return require('web/locks').locks;
  }
  get language() {
    this.#isOne();
    return new Intl.DateTimeFormat().resolvedOptions().locale;
  }
  get languages() {
    this.#isOne();
    return ObjectFreeze([this.language]);
  }
  get userAgent() {
    this.#isOne();
    return startValues.userAgent;
  }
  get platform() {
    this.#isOne();
    const [system, , , , machine] = intact(native.os_names());
    return `${system} ${machine}`;
  }
}
for (const name of intact(['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform', 'locks'])) {
  ObjectDefineProperty(Navigator.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(Navigator.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Navigator' });

module.exports = { Navigator, navigator: new Navigator(kOwn) };
