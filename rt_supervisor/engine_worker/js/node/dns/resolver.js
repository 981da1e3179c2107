'use strict';
// Owns: dns.Resolver: its methods and settings, and the conversion of records to their results. Each query is a Question
// (node/dns/question). The system's servers are those of /etc/resolv.conf.

const { AnyToString } = require('internal/any_kind');
const runtimeParts = require('internal/parts');
const { ArrayFilter, ArrayForEach, ArrayJoin, ArrayMap, ArrayPush, ArrayReverse, ArraySlice } = require('internal/primordials');
const { FunctionBind, MathMin, ObjectDefineProperty, ObjectEntries } = require('internal/primordials');
const {
  ObjectFromEntries,
  ObjectSetPrototypeOf,
  ObjectKeys,
  RegExpTest,
  SetAdd,
  SetDelete,
  StringPadStart,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');
const { StringSplit, StringToLowerCase, intact } = require('internal/primordials');
const { TYPES } = require('node/dns/message');
const { failure } = require('node/dns/dns');
const { codes } = require('internal/errors/errors');
const {
  validateArray,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const { addPlace, currentPlace, rejecter } = require('internal/errors/places');
const { isIP, isIPv4, groupsOf } = require('node/net/address');
const { Question } = require('node/dns/question');
const { parseServer, formatServer, checkLocal, systemServers } = require('node/dns/addresses');
const { LONGEST_DELAY } = require('internal/timer_delays');
const { nextTick } = require('internal/timers');

const USUAL_TIMEOUT_MS = 2000;
const USUAL_TRIES = 3;
const TYPE_NAMES = ObjectFromEntries(intact(ArrayMap(ObjectEntries(TYPES), ({ 0: name, 1: number }) => [number, name])));

// The method's result for records of each type.
const RESULTS = {
  A: ({ data, ttl }, options) => (options?.ttl ? { address: data.address, ttl } : data.address),
  AAAA: ({ data, ttl }, options) => (options?.ttl ? { address: data.address, ttl } : data.address),
  NS: ({ data }) => data.value,
  CNAME: ({ data }) => data.value,
  PTR: ({ data }) => data.value,
  MX: ({ data }) => ({ exchange: data.exchange, priority: data.priority, type: 'MX' }),
  TXT: ({ data }) => data.entries,
  SRV: ({ data }) => ({ ...data, type: 'SRV' }),
  NAPTR: ({ data }) => ({ ...data, type: undefined }), // Node's objects also have the key `type`, without a value
  TLSA: ({ data }) => data,
  CAA: ({ data }) => data,
  SOA: ({ data }) => ({ ...data, type: undefined }),
  ANY: ({ type, data, ttl }) => ({
    ...data,
    ...(type === TYPES.A || type === TYPES.AAAA ? { ttl } : null),
    type: TYPE_NAMES[type],
  }),
};

/** Shared by both kinds of resolvers: servers and pending queries. */
class Questions {
  #servers;
  #open = new Set();

  constructor(options) {
    if (options !== undefined) validateObject(options, 'options');
    const { timeout = -1, tries = USUAL_TRIES, maxTimeout = 0 } = options ?? {};
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this.timeoutMs = timeout < 0 ? USUAL_TIMEOUT_MS : timeout;
    this.longestMs = maxTimeout === 0 ? LONGEST_DELAY : MathMin(maxTimeout, LONGEST_DELAY);
    this.tries = tries;
  }
  get servers() {
    return (this.#servers ??= systemServers());
  }
  setServers(list) {
    validateArray(list, 'servers');
    const servers = [];
    ArrayForEach(list, (text, index) => ArrayPush(servers, parseServer(text, index))); // holes are skipped
    this.#servers = servers;
  }
  /** Refuses to change servers while queries are pending. */
  checkIdle(list) {
    if (this.#open.size > 0) throw new codes.ERR_DNS_SET_SERVERS_FAILED('There are pending queries.', list);
  }
  ask(name, type, done) {
    // Names in the .onion domain are never sent to a name server, as in c-ares.
    if (RegExpTest(/\.onion\.?$/i, name)) {
      nextTick(done, 'ENOTFOUND');
      return;
    }
    const question = new Question(this, name, type, done);
    SetAdd(this.#open, question);
    question.start();
  }
  forget(question) {
    SetDelete(this.#open, question);
  }
  cancel() {
    for (const question of intact([...intact(this.#open)])) question.finish('ECANCELLED');
  }
}

/** Resolves records of one type, then calls done(error, result). */
function resolveRecords(questions, typeName, name, options, done) {
  const syscall = `query${typeName[0]}${StringToLowerCase(StringSlice(typeName, 1))}`;
  const measured = runtimeParts.timing?.begin('dns', syscall, { host: name, ttl: Boolean(options?.ttl) });
  const place = currentPlace();
  questions.ask(name, TYPES[typeName], (code, answers) => {
    const fitting = ArrayFilter(answers ?? [], ({ type }) => typeName === 'ANY' || type === TYPES[typeName]);
    const problem = code ?? (fitting.length === 0 ? 'ENODATA' : null);
    if (problem !== null) {
      done(addPlace(failure(problem, syscall, name, { hostname: name, errno: undefined }), place));
      return;
    }
    const results = ArrayMap(fitting, (answer) => RESULTS[typeName](answer, options));
    const result = typeName === 'SOA' ? results[0] : results;
    measured?.({ result });
    done(null, result);
  });
}

/** The name of the PTR records for an address. */
function reverseName(address) {
  if (isIPv4(address)) return `${ArrayJoin(ArrayReverse(StringSplit(address, '.')), '.')}.in-addr.arpa`;
  const digits = ArrayJoin(
    ArrayMap(groupsOf(StringSplit(address, '%')[0]), (group) => StringPadStart(AnyToString(group, 16), 4, '0')),
    '',
  );
  return `${ArrayJoin(ArrayReverse([...intact(digits)]), '.')}.ip6.arpa`;
}

function reverse(questions, address, done) {
  if (isIP(address) === 0) throw failure('EINVAL', 'getHostByAddr', address, { hostname: address, errno: -22 });
  // With permissions, the question refuses what the program may not do.
  const known = runtimeParts.permission === undefined ? require('node/dns/hosts').namesOf(address) : [];
  if (known.length > 0) {
    nextTick(done, null, ArraySlice(known, 1)); // the aliases, as in Node
    return;
  }
  questions.ask(reverseName(address), TYPES.PTR, (code, answers) => {
    const names = answers?.filter(({ type }) => type === TYPES.PTR).map(({ data }) => data.value) ?? [];
    const hasFailed = code !== null || names.length === 0;
    const isOwn = code === 'ECANCELLED' || (code !== null && StringStartsWith(code, 'ERR_'));
    const problem = hasFailed ? (isOwn ? code : 'ENOTFOUND') : null; // the last source has no names
    if (problem !== null) done(failure(problem, 'getHostByAddr', address, { hostname: address, errno: undefined }));
    else done(null, names);
  });
}

const METHODS = {
  resolve4: 'A',
  resolve6: 'AAAA',
  resolveAny: 'ANY',
  resolveCaa: 'CAA',
  resolveCname: 'CNAME',
  resolveMx: 'MX',
  resolveNaptr: 'NAPTR',
  resolveNs: 'NS',
  resolvePtr: 'PTR',
  resolveSoa: 'SOA',
  resolveSrv: 'SRV',
  resolveTlsa: 'TLSA',
  resolveTxt: 'TXT',
};

let questionsOf;
/** The `_handle` of a resolver, which programs replace methods of. */
class ChannelWrap {
  #questions;
  constructor(questions) {
    this.#questions = questions;
  }
  getServers() {
    return ArrayMap(this.#questions.servers, ({ address, port }) => [address, port]);
  }
  cancel() {
    this.#questions.cancel();
  }
}

class ResolverBase {
  #questions;
  constructor(options) {
    this.#questions = new Questions(options);
    this._handle = new ChannelWrap(this.#questions);
  }

  static {
    questionsOf = (resolver) => resolver.#questions;
  }

  getServers() {
    return ArrayMap(this._handle.getServers() || [], ({ 0: address, 1: port }) => formatServer({ address, port }));
  }
  setServers(servers) {
    this.#questions.checkIdle(servers);
    this.#questions.setServers(servers);
  }
  setLocalAddress(...addresses) {
    checkLocal(...intact(addresses));
  }
  cancel() {
    this._handle.cancel();
  }
}

class Resolver extends ResolverBase {
  resolve(name, type = 'A', callback) {
    if (typeof type === 'function') [type, callback] = intact(['A', type]);
    checkType(type);
    return this[METHOD_OF[type]](name, callback);
  }
  reverse(address, callback) {
    validateString(address, 'name');
    validateFunction(callback, 'callback');
    reverse(questionsOf(this), address, callback);
    return {};
  }
}

function askCalling(resolver, typeName, name, options, callback) {
  if (typeof options === 'function') [options, callback] = intact([undefined, options]);
  validateString(name, 'name');
  validateFunction(callback, 'callback');
  resolveRecords(questionsOf(resolver), typeName, name, options, callback);
  return {};
}

class PromisesResolver extends ResolverBase {
  resolve(name, type = 'A') {
    checkType(type);
    return this[METHOD_OF[type]](name);
  }
  reverse(address) {
    validateString(address, 'name');
    return new Promise((resolve) => {
      const reject = rejecter(resolve);
      reverse(questionsOf(this), address, (error, names) => (error ? reject(error) : resolve(names)));
    });
  }
}

function askPromising(resolver, typeName, name, options) {
  validateString(name, 'name');
  return new Promise((resolve) => {
    const reject = rejecter(resolve);
    resolveRecords(questionsOf(resolver), typeName, name, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

const METHOD_OF = ObjectSetPrototypeOf(
  ObjectFromEntries(intact(ArrayMap(ObjectEntries(METHODS), ({ 0: method, 1: typeName }) => [typeName, method]))),
  null,
);
function checkType(type) {
  validateString(type, 'rrtype');
  if (!(type in METHOD_OF)) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', type);
}
for (const { Class, ask } of intact([
  { Class: Resolver, ask: askCalling },
  { Class: PromisesResolver, ask: askPromising },
])) {
  for (const method of intact(ObjectKeys(METHODS))) {
    const value = {
      [method](name, ...rest) {
        return ask(this, METHODS[method], name, ...intact(rest));
      },
    }[method];
    ObjectDefineProperty(Class.prototype, method, { __proto__: null, value, writable: true, configurable: true });
  }
}

/** The module's functions are those of one resolver of either kind, with the same servers. */
let shared = new Resolver();
let sharedPromises = new PromisesResolver();
function setServers(servers) {
  // Pending queries stay with the resolvers that sent them.
  const next = [new Resolver(), new PromisesResolver()];
  for (const resolver of intact(next)) resolver.setServers(servers);
  [shared, sharedPromises] = intact(next);
}

module.exports = {
  Resolver,
  PromisesResolver,
  callbacks: new Proxy(
    {},
    { __proto__: null, get: (_, name) => (name === 'setServers' ? setServers : FunctionBind(shared[name], shared)) },
  ),
  promises: new Proxy(
    {},
    {
      __proto__: null,
      get: (_, name) => (name === 'setServers' ? setServers : FunctionBind(sharedPromises[name], sharedPromises)),
    },
  ),
};
