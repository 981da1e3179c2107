// @ts-check
'use strict';
// Owns: Redis commands as methods: how arguments become words, and how replies are converted.

const { isArrayBuffer } = require('internal/brands');
const { setOf } = require('internal/collections');
const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayPush,
  FunctionCall,
  ObjectDefineProperty,
  ObjectKeys,
  SetHas,
  StringSplit,
  StringToUpperCase,
} = require('internal/primordials');
const { objectOf } = require('rt/redis/protocol');

const NAMES = StringSplit(
  'append bitcount bitfield bitop bitpos blmove blmpop blpop brpop brpoplpush bzmpop bzpopmax bzpopmin client command config copy ' +
    'dbsize debug decr decrby del dump echo eval evalsha exists expire expireat expiretime fcall flushall flushdb function geoadd ' +
    'geodist geohash geopos geosearch geosearchstore get getbit getdel getex getrange getset hdel hexists hexpire hexpireat ' +
    'hexpiretime hget hgetall hgetdel hgetex hincrby hincrbyfloat hkeys hlen hmget hmset hpersist hpexpire hpexpireat hpexpiretime ' +
    'hpttl hrandfield hscan hset hsetex hsetnx hstrlen httl hvals incr incrby incrbyfloat info keys lastsave lcs lindex linsert ' +
    'llen lmove lmpop lpop lpos lpush lpushx lrange lrem lset ltrim mget mset msetnx object persist pexpire pexpireat pexpiretime ' +
    'pfadd pfcount pfmerge ping psetex pttl publish pubsub randomkey rename renamenx rpop rpoplpush rpush rpushx sadd scan scard ' +
    'script sdiff sdiffstore select set setbit setex setnx setrange sinter sintercard sinterstore sismember smembers smismember ' +
    'smove sort spop spublish srandmember srem sscan strlen substr sunion sunionstore time touch ttl type unlink wait xack xadd ' +
    'xautoclaim xclaim xdel xgroup xinfo xlen xpending xrange xread xreadgroup xrevrange xsetid xtrim zadd zcard zcount zdiff ' +
    'zdiffstore zincrby zinter zintercard zinterstore zlexcount zmpop zmscore zpopmax zpopmin zrandmember zrange zrangebylex ' +
    'zrangebyscore zrangestore zrank zrem zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex ' +
    'zrevrangebyscore zrevrank zscan zscore zunion zunionstore',
  ' ',
);
// Commands whose first argument is not a key.
const KEYLESS = setOf(
  StringSplit(
    'client command config dbsize debug echo eval evalsha fcall flushall flushdb function info keys lastsave object ping pubsub ' +
      'randomkey scan script select time wait xgroup xinfo xread xreadgroup',
    ' ',
  ),
);
const truth = (reply) => (typeof reply === 'number' ? reply > 0 : reply);
const MADE = {
  __proto__: null,
  exists: truth,
  sismember: truth,
  hexists: truth,
  hsetnx: truth,
  smove: truth,
  hgetall: (reply) => (ArrayIsArray(reply) ? objectOf(reply) : reply),
};

function wrong(what, kinds, command) {
  const error = new TypeError(`Expected ${what} to be a string or ${kinds} for '${command}'.`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

/** Adds the words of one argument: a value, a list of values, or an object of names and values. */
function addWords(words, value, command, isKey) {
  if (typeof value === 'string') ArrayPush(words, value);
  else if (typeof value === 'number' || typeof value === 'bigint') ArrayPush(words, `${value}`);
  else if (isArrayBuffer(value)) ArrayPush(words, new Uint8Array(value));
  else if (ArrayBufferIsView(value)) ArrayPush(words, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  else if (ArrayIsArray(value)) for (let index = 0; index < value.length; index++) addWords(words, value[index], command, isKey);
  else if (!isKey && value !== null && typeof value === 'object' && SetHas(TAKES_OBJECTS, command)) {
    for (let index = 0, names = ObjectKeys(value); index < names.length; index++) {
      ArrayPush(words, names[index]);
      addWords(words, value[names[index]], command, false);
    }
  } else throw isKey ? wrong('key', 'buffer', command) : wrong('value', 'buffer or number', command);
}
const TAKES_OBJECTS = setOf(['hset', 'hmset', 'mset', 'msetnx']);

function wordsOf(command, args) {
  const words = [StringToUpperCase(command)];
  const isKeyed = !SetHas(KEYLESS, command);
  if (isKeyed && args.length === 0) throw wrong('key', 'buffer', command);
  for (let index = 0; index < args.length; index++) {
    // Undefined arguments after the first two are omitted.
    if (args[index] === undefined && index > 1) continue;
    addWords(words, args[index], command, isKeyed && index === 0 && !SetHas(TAKES_OBJECTS, command));
  }
  return words;
}

/** Defines a method on `prototype` for each command; it calls `run(words, { command, make })` of the client. */
function define(prototype, run) {
  for (let index = 0; index < NAMES.length; index++) {
    const command = NAMES[index];
    const make = MADE[command];
    const method = {
      [command](...args) {
        return FunctionCall(run, this, wordsOf(command, args), { command, make });
      },
    }[command];
    ObjectDefineProperty(prototype, command, {
      __proto__: null,
      value: method,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

module.exports = { define, wordsOf };
