// @ts-check
'use strict';
// Owns: node:dns: lookup and lookupService with the system's resolver (including the hosts file), the query functions of
// node/dns/resolver.js on the module itself, and the error codes.

const { defineLazily } = require('internal/lazy');
const native = host.native;
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { ArrayFilter, ArrayPush, ObjectAssign, ObjectDefineProperty, SymbolFor, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  validateBoolean,
  validateFunction,
  validateNumber,
  validateOneOf,
  validatePort,
  validateString,
} = require('internal/validators');
const { addPlace, currentPlace, rejecter } = require('internal/errors/places');
const { isIP } = require('node/net/address');
const { nextTick } = require('internal/timers');
const { pendingRequests } = require('internal/active_handles');

const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
const FAMILIES = [0, 4, 6];
const { 0: ADDRCONFIG, 1: ALL, 2: V4MAPPED } = [32, 16, 8];
const promisified = SymbolFor('nodejs.util.promisify.custom');
const { kArgumentNames: customArguments } = require('internal/promisify');

let order; // set by the program; undefined: as on the command line
const resultOrder = () => order ?? startValues.dnsResultOrder ?? 'verbatim';

function setDefaultResultOrder(value) {
  validateOneOf(value, 'dnsOrder', ORDERS);
  order = value;
}

function failure(code, syscall, name, more) {
  const error = new Error(`${syscall} ${code}${name === undefined ? '' : ` ${name}`}`);
  const errno = { ENOTFOUND: -3008 }[code] ?? require('internal/errors/errno').numberOf(code);
  return ObjectAssign(error, { errno, code, syscall }, more);
}

function lookupOptions(options) {
  const settings = { family: 0, hints: 0, all: false, order: resultOrder() };
  if (typeof options === 'number') {
    validateOneOf(options, 'family', FAMILIES);
    settings.family = options;
  } else if (options !== undefined && typeof options !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  } else {
    if (options?.hints != null) {
      validateNumber(options.hints, 'options.hints');
      settings.hints = options.hints >>> 0;
      if ((settings.hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) throw new codes.ERR_INVALID_ARG_VALUE('hints', settings.hints);
    }
    if (options?.family != null) {
      const family = { IPv4: 4, IPv6: 6 }[options.family] ?? options.family;
      validateOneOf(family, 'options.family', FAMILIES);
      settings.family = family;
    }
    if (options?.all != null) {
      validateBoolean(options.all, 'options.all');
      settings.all = options.all;
    }
    if (options?.verbatim != null) {
      validateBoolean(options.verbatim, 'options.verbatim');
      settings.order = options.verbatim ? 'verbatim' : 'ipv4first';
    }
    if (options?.order != null) {
      validateOneOf(options.order, 'options.order', ORDERS);
      settings.order = options.order;
    }
  }
  return settings;
}

/** [{ address, family }] from the host's flat list, in the requested order. */
function inOrder(flat, order) {
  const list = [];
  for (let index = 0; index < flat.length; index += 2) ArrayPush(list, { address: flat[index], family: flat[index + 1] });
  if (order === 'verbatim') return list;
  const first = order === 'ipv4first' ? 4 : 6;
  return [
    ...intact(ArrayFilter(list, ({ family }) => family === first)),
    ...intact(ArrayFilter(list, ({ family }) => family !== first)),
  ];
}

/** A function that ends the measurement of a lookup; undefined without an observer. */
function startTiming(name, { family, hints, all, order: wanted }) {
  const done = runtimeParts.timing?.begin('dns', 'lookup', {
    hostname: name,
    family,
    hints,
    verbatim: wanted === 'verbatim',
    order: wanted,
  });
  return done && ((list) => done({ addresses: all ? list : [list[0].address] }));
}

/** Looks up `name`, which is not an address, and calls `done(error)` or `done(null, list)`. */
function find(name, settings, done) {
  const measured = startTiming(name, settings);
  pendingRequests.GetAddrInfoReqWrap++;
  native.dns_lookup(name, settings.family, settings.hints, (code, flat) => {
    pendingRequests.GetAddrInfoReqWrap--;
    if (code) {
      done(failure(code, 'getaddrinfo', name, { hostname: name }));
      return;
    }
    const list = inOrder(flat, settings.order);
    measured?.(list);
    done(null, list);
  });
}

function checkName(name) {
  if (name) validateString(name, 'hostname');
  if (!name) throw new codes.ERR_INVALID_ARG_VALUE('hostname', name, 'must be a non-empty string');
}

function lookup(name, options, callback) {
  if (name) validateString(name, 'hostname');
  if (typeof options === 'function') [options, callback] = intact([undefined, options]);
  validateFunction(callback, 'callback');
  const settings = lookupOptions(options);
  checkName(name);
  const family = isIP(name);
  if (family !== 0) {
    if (settings.all) nextTick(callback, null, [{ address: name, family }]);
    else nextTick(callback, null, name, family);
    return {};
  }
  const place = currentPlace();
  find(name, settings, (error, list) => {
    if (error) callback(addPlace(error, place));
    else if (settings.all) callback(null, list);
    else callback(null, list[0].address, list[0].family);
  });
  return {};
}
ObjectDefineProperty(lookup, customArguments, { __proto__: null, value: ['address', 'family'] });

function checkService(address, port) {
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new codes.ERR_MISSING_ARGS('address', 'port', 'callback');
  checkService(address, port);
  validateFunction(callback, 'callback');
  const measured = runtimeParts.timing?.begin('dns', 'lookupService', { host: address, port });
  const place = currentPlace();
  pendingRequests.GetNameInfoReqWrap++;
  native.dns_lookupService(address, Number(port), (code, names) => {
    pendingRequests.GetNameInfoReqWrap--;
    if (code) {
      callback(addPlace(failure(code, 'getnameinfo', address, { hostname: address }), place));
      return;
    }
    const { 0: hostname, 1: service } = names;
    measured?.({ hostname, service });
    callback(null, hostname, service);
  });
  return {};
}
ObjectDefineProperty(lookupService, customArguments, { __proto__: null, value: ['hostname', 'service'] });

const promises = {
  lookup(name, options) {
    if (name) validateString(name, 'hostname');
    const settings = lookupOptions(options);
    return new Promise((resolve) => {
      checkName(name);
      const family = isIP(name);
      if (family !== 0) {
        const found = { address: name, family };
        resolve(settings.all ? [found] : found);
        return;
      }
      const reject = rejecter(resolve);
      find(name, settings, (error, list) => (error ? reject(error) : resolve(settings.all ? list : list[0])));
    });
  },
  lookupService(address, port) {
    if (arguments.length !== 2) throw new codes.ERR_MISSING_ARGS('address', 'port');
    checkService(address, port);
    return new Promise((resolve) => {
      const reject = rejecter(resolve);
      lookupService(address, port, (error, hostname, service) => (error ? reject(error) : resolve({ hostname, service })));
    });
  },
};

const ERRORS = {
  NODATA: 'ENODATA',
  FORMERR: 'EFORMERR',
  SERVFAIL: 'ESERVFAIL',
  NOTFOUND: 'ENOTFOUND',
  NOTIMP: 'ENOTIMP',
  REFUSED: 'EREFUSED',
  BADQUERY: 'EBADQUERY',
  BADNAME: 'EBADNAME',
  BADFAMILY: 'EBADFAMILY',
  BADRESP: 'EBADRESP',
  CONNREFUSED: 'ECONNREFUSED',
  TIMEOUT: 'ETIMEOUT',
  EOF: 'EOF',
  FILE: 'EFILE',
  NOMEM: 'ENOMEM',
  DESTRUCTION: 'EDESTRUCTION',
  BADSTR: 'EBADSTR',
  BADFLAGS: 'EBADFLAGS',
  NONAME: 'ENONAME',
  BADHINTS: 'EBADHINTS',
  NOTINITIALIZED: 'ENOTINITIALIZED',
  LOADIPHLPAPI: 'ELOADIPHLPAPI',
  ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS',
  CANCELLED: 'ECANCELLED',
};
const common = { getDefaultResultOrder: resultOrder, setDefaultResultOrder, ...ERRORS };

module.exports = { lookup, lookupService, ...common, ADDRCONFIG, ALL, V4MAPPED, failure };
ObjectDefineProperty(module.exports, 'failure', { __proto__: null, enumerable: false });
ObjectDefineProperty(lookup, promisified, {
  __proto__: null,
  value: (name, options) => promises.lookup(name, options),
  configurable: true,
});
ObjectAssign(promises, common);
ObjectDefineProperty(module.exports, 'promises', { __proto__: null, value: promises, enumerable: true });

// The resolver is loaded on first use.
const resolver = () => require('node/dns/resolver');
for (const { 0: target, 1: kind } of intact([
  [module.exports, 'callbacks'],
  [promises, 'promises'],
])) {
  for (const name of intact([
    'setServers',
    'getServers',
    'resolve',
    'resolve4',
    'resolve6',
    'resolveAny',
    'resolveCaa',
    'resolveCname',
    'resolveMx',
    'resolveNaptr',
    'resolveNs',
    'resolvePtr',
    'resolveSoa',
    'resolveSrv',
    'resolveTlsa',
    'resolveTxt',
    'reverse',
  ])) {
    target[name] = {
      [name](...args) {
        return resolver()[kind][name](...intact(args));
      },
    }[name];
  }
  defineLazily(target, 'Resolver', () => (kind === 'callbacks' ? resolver().Resolver : resolver().PromisesResolver));
}
