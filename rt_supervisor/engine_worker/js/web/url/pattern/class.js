// @ts-check
'use strict';
// Owns: the URLPattern class: a pattern for each component of a URL, and matching. Error messages are Node's.

const { shapeForConsole } = require('internal/inspect/rt_forms');
const {
  ArrayEvery,
  ArrayIncludes,
  ArrayMap,
  ArraySome,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectFromEntries,
  StringSlice,
  StringToWellFormed,
  intact,
} = require('internal/primordials');
const { URL } = require('web/url/class');
const { compile } = require('web/url/pattern/parts');
const { readConstructorString, matchesSpecial } = require('web/url/pattern/constructor_string');
const { COMPONENTS, read, process } = require('web/url/pattern/init');
const encoding = require('web/url/pattern/encoding');

const codedError = (code, message) => ObjectAssign(new TypeError(message), { code });
const HOST = { delimiter: '.', prefix: '' };
const PATH = { delimiter: '/', prefix: '/' };
const PLAIN = { delimiter: '', prefix: '' };
const RESULT_ORDER = ['hash', 'hostname', 'inputs', 'password', 'pathname', 'port', 'protocol', 'search', 'username'];

const isIpv6 = (text) => text.length >= 2 && (text[0] === '[' || ((text[0] === '{' || text[0] === '\\') && text[1] === '['));

function componentsOf(init, isCaseIgnored) {
  const record = { __proto__: null };
  if (ArrayIncludes(encoding.SPECIAL, init.protocol) && encoding.PORTS[init.protocol] === init.port) init.port = '';
  const add = (name, encode, options = PLAIN, ignoreCase = false) => {
    record[name] = compile(init[name] ?? '*', encode, { ...options, ignoreCase });
  };
  add('protocol', encoding.protocol);
  add('username', encoding.username);
  add('password', encoding.password);
  add('hostname', isIpv6(init.hostname ?? '*') ? encoding.ipv6Hostname : encoding.hostname, HOST);
  add('port', (value) => encoding.port(value));
  if (matchesSpecial(record.protocol)) add('pathname', encoding.pathname, PATH, isCaseIgnored);
  else add('pathname', encoding.opaquePathname, PLAIN, isCaseIgnored);
  add('search', encoding.search, PLAIN, isCaseIgnored);
  add('hash', encoding.hash, PLAIN, isCaseIgnored);
  return record;
}

/** Returns the component strings to match, or null for an invalid URL. */
function partsOf(input, base) {
  if (typeof input === 'string') {
    try {
      const url = base === undefined ? new URL(input) : new URL(input, base);
      return {
        protocol: StringSlice(url.protocol, 0, -1),
        username: url.username,
        password: url.password,
        hostname: url.hostname,
        port: url.port,
        pathname: url.pathname,
        search: StringSlice(url.search, 1),
        hash: StringSlice(url.hash, 1),
      };
    } catch {
      return null;
    }
  }
  try {
    return process(read(input), 'url', ObjectFromEntries(intact(ArrayMap(COMPONENTS, (name) => [name, '']))));
  } catch {
    return null;
  }
}

class URLPattern {
  #components;

  static {
    require('internal/cloneable').registerUncloneable((value) => #components in value);
  }

  /** @param {any} [input] @param {any} [baseURL] @param {any} [options] */
  constructor(input = undefined, baseURL = undefined, options = undefined) {
    if (input !== undefined && typeof input !== 'string' && typeof input !== 'object' && typeof input !== 'function') {
      throw codedError('ERR_INVALID_ARG_TYPE', 'Input must be an object or a string');
    }
    let base = baseURL;
    let settings = options;
    if (arguments.length > 1 && baseURL !== undefined && typeof baseURL !== 'string') {
      if (typeof baseURL !== 'object' || baseURL === null)
        throw codedError('ERR_INVALID_ARG_TYPE', 'second argument must be a string or object');
      [base, settings] = intact([undefined, baseURL]);
    }
    if (settings !== undefined && (typeof settings !== 'object' || settings === null)) {
      throw codedError('ERR_INVALID_ARG_TYPE', 'options must be an object');
    }
    const ignoreCase = Boolean(settings?.ignoreCase);
    const init = typeof input === 'string' ? undefined : read(input ?? {});
    try {
      this.#components = componentsOf(process(init ?? fromText(input, base), 'pattern'), ignoreCase);
      if (init !== undefined && base !== undefined) throw new TypeError('A base URL is for a string');
    } catch {
      throw codedError('ERR_INVALID_URL_PATTERN', 'Failed to construct URLPattern');
    }
  }

  static of(pattern) {
    if (typeof pattern !== 'object' || pattern === null || !(#components in pattern)) throw new TypeError('Illegal invocation');
    return pattern.#components;
  }
}
const componentsIn = URLPattern.of;
delete (/** @type {any} */ (URLPattern).of);

function fromText(text, base) {
  const init = readConstructorString(StringToWellFormed(text));
  if (base === undefined && init.protocol === undefined) throw new TypeError('A relative pattern needs a base URL');
  if (base !== undefined) init.baseURL = StringToWellFormed(base);
  return init;
}

/** Returns null if nothing matches, and undefined if the input is invalid. */
function match(components, input, base) {
  if (typeof input !== 'string' && base !== undefined) return undefined;
  const parts = partsOf(input, base);
  if (parts === null) return null;
  const result = { __proto__: null };
  for (let index = 0; index < RESULT_ORDER.length; index++) {
    const name = RESULT_ORDER[index];
    if (name === 'inputs') {
      result.inputs = base === undefined ? [input] : [input, base];
      continue;
    }
    const groups = components[name].groupsOf(parts[name]);
    if (groups === null) return null;
    result[name] = { groups, input: parts[name] };
  }
  return result;
}

/** Returns undefined if the input is invalid. */
function matches(components, input, base) {
  if (typeof input !== 'string' && base !== undefined) return undefined;
  const parts = partsOf(input, base);
  return parts !== null && ArrayEvery(COMPONENTS, (name) => components[name].test(parts[name]));
}

function matchArguments(verb, args) {
  const [input = {}, base] = intact(args);
  if (typeof input !== 'string' && typeof input !== 'object' && typeof input !== 'function') {
    throw codedError('ERR_INVALID_ARG_TYPE', 'URLPattern input needs to be a string or an object');
  }
  if (base !== undefined && typeof base !== 'string') throw codedError('ERR_INVALID_ARG_TYPE', 'baseURL must be a string');
  return [input ?? {}, base, () => codedError('ERR_OPERATION_FAILED', `Failed to ${verb} URLPattern`)];
}

const enumerable = (name, descriptor) =>
  ObjectDefineProperty(URLPattern.prototype, name, { __proto__: null, enumerable: true, ...descriptor });
for (const name of intact(COMPONENTS))
  enumerable(name, {
    get() {
      return componentsIn(this)[name].text;
    },
    configurable: false,
  });
enumerable('hasRegExpGroups', {
  get() {
    return ArraySome(COMPONENTS, (name) => componentsIn(this)[name].hasRegExp);
  },
  configurable: false,
});
const methods = {
  exec(...args) {
    const components = componentsIn(this);
    const [input, base, failure] = intact(matchArguments('exec', args));
    const result = match(components, input, base);
    if (result === undefined) throw failure();
    return result;
  },
  test(...args) {
    const components = componentsIn(this);
    const [input, base, failure] = intact(matchArguments('test', args));
    const result = matches(components, input, base);
    if (result === undefined) throw failure();
    return result;
  },
};
for (const name of intact(['exec', 'test'])) enumerable(name, { value: methods[name], writable: true, configurable: true });
ObjectDefineProperty(URLPattern.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'URLPattern' });

// prettier-ignore
shapeForConsole(URLPattern.prototype, [
  'protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash', 'hasRegExpGroups', 'test', 'exec',
]);

module.exports = { URLPattern };
