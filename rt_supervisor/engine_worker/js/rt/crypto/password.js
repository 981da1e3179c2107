// @ts-check
'use strict';
// Owns: RT.password: hashing and verifying passwords, synchronously or on another thread.

const {
  ArrayIncludes,
  ArrayJoin,
  ArrayMap,
  NumberIsInteger,
  ObjectAssign,
  RegExpReplace,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');

const ALGORITHMS = ['bcrypt', 'argon2id', 'argon2d', 'argon2i'];
const MOST = 2 ** 32 - 1;
const ROUNDS = 'Rounds must be an integer between 4 and 31';
const COSTS = {
  __proto__: null,
  cost: { usual: 10, low: 4, high: 31, tooLow: ROUNDS, wrong: ROUNDS },
  memoryCost: {
    usual: 65536,
    low: 8,
    high: MOST,
    tooLow: 'Memory cost must be at least 8',
    wrong: `Memory cost must be an integer between 8 and ${MOST}`,
  },
  timeCost: {
    usual: 2,
    low: 1,
    high: MOST,
    tooLow: 'Time cost must be greater than 0',
    wrong: `Time cost must be an integer between 1 and ${MOST}`,
  },
};

const { wrongType } = require('internal/errors/errors');

function bytes(value, name) {
  if (typeof value === 'string') return native.encodeUtf8(value);
  const bytes = value !== null && typeof value === 'object' ? bytesOf(value) : undefined;
  if (bytes === undefined) throw wrongType(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
  return bytes;
}

function checkedAlgorithm(algorithm, verb) {
  if (ArrayIncludes(ALGORITHMS, algorithm)) return algorithm;
  throw wrongType(
    `Expected algorithm to be a unknown algorithm, expected one of: ${ArrayJoin(
      ArrayMap(ALGORITHMS, (name) => `"${name}"`),
      ', ',
    )} (default is "argon2id") for '${verb}'.`,
  );
}

/** Validates one of COSTS. */
function checkedCost(name, value) {
  const { usual, low, high, tooLow, wrong } = COSTS[name];
  if (value === undefined || value === null) return usual;
  if (typeof value !== 'number') throw wrongType(`Expected ${name} to be a number for 'hash'.`);
  if (value < low) throw wrongType(tooLow);
  if (!NumberIsInteger(value) || value > high) throw wrongType(wrong);
  return value;
}

/**
 * Returns an algorithm with its costs, given by name or as an object: cost of bcrypt, memoryCost (KiB) and timeCost of the
 * others.
 */
function settingsOf(options) {
  if (options === undefined || options === null) return settingsFor('argon2id', {});
  if (typeof options === 'string') return settingsFor(checkedAlgorithm(options, 'hash'), {});
  if (typeof options !== 'object') throw wrongType('PasswordHashOptions must be an object');
  const { algorithm } = options;
  if (typeof algorithm !== 'string') throw wrongType("Expected options.algorithm to be a string for 'hash'.");
  return settingsFor(checkedAlgorithm(algorithm, 'hash'), options);
}

/** @type {(algorithm: string, costs: { cost?: unknown, memoryCost?: unknown, timeCost?: unknown }) => object} */
function settingsFor(algorithm, { cost, memoryCost, timeCost }) {
  return {
    algorithm,
    cost: checkedCost('cost', cost),
    memoryCost: checkedCost('memoryCost', memoryCost),
    timeCost: checkedCost('timeCost', timeCost),
  };
}

function hashArguments(password, options) {
  const secret = bytes(password, 'password');
  if (secret.length === 0) throw wrongType('password must not be empty');
  return [secret, settingsOf(options)];
}

function verifyArguments(password, hash, algorithm) {
  const secret = bytes(password, 'password');
  const text = native.decodeUtf8(bytes(hash, 'hash'));
  if (algorithm === undefined || algorithm === null) return [secret, text, undefined];
  if (typeof algorithm !== 'string') throw wrongType('algorithm must be a string');
  return [secret, text, checkedAlgorithm(algorithm, 'verify')];
}

function failure(problem) {
  const code = `PASSWORD_${StringToUpperCase(RegExpReplace(/(?<=[a-z])(?=[A-Z])/g, problem, '_'))}`;
  return ObjectAssign(new Error(`Password verification failed with error "${problem}"`), { code });
}

const settled = ({ 0: result, 1: problem }) => {
  if (problem !== null) throw failure(problem);
  return result;
};
const later = (start) =>
  new Promise((resolve, reject) => {
    start((result, problem) => (problem === null ? resolve(result) : reject(failure(problem))));
  });

const password = {
  hash(value, options) {
    const hashArgs = hashArguments(value, options);
    return later((callback) => native.passwords_hashLater(...intact(hashArgs), callback));
  },
  hashSync(value, options) {
    return settled(native.passwords_hash(...intact(hashArguments(value, options))));
  },
  verify(value, hash, algorithm) {
    const verifyArgs = verifyArguments(value, hash, algorithm);
    return later((callback) => native.passwords_verifyLater(...intact(verifyArgs), callback));
  },
  verifySync(value, hash, algorithm) {
    return settled(native.passwords_verify(...intact(verifyArguments(value, hash, algorithm))));
  },
};

module.exports = { password };
