// @ts-check
'use strict';
// Owns: RT.password: hashing and verifying passwords, at once or while the program goes on.

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
const USUAL = { cost: 10, memoryCost: 65536, timeCost: 2 };

const { wrongType } = require('internal/errors/errors');

function bytes(value, name) {
  if (typeof value === 'string') return native.encodeUtf8(value);
  const found = value !== null && typeof value === 'object' ? bytesOf(value) : undefined;
  if (found === undefined) throw wrongType(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
  return found;
}

function checkedAlgorithm(algorithm) {
  if (ArrayIncludes(ALGORITHMS, algorithm)) return algorithm;
  throw wrongType(
    `Unknown algorithm, expected one of: ${ArrayJoin(
      ArrayMap(ALGORITHMS, (name) => `"${name}"`),
      ', ',
    )} (default is "argon2id")`,
  );
}

function checkedCost(value, fallback, low, high, message) {
  if (value === undefined) return fallback;
  if (!NumberIsInteger(value) || value < low || value > high) throw wrongType(message);
  return value;
}

/** An algorithm by its name, or one with what it costs: cost of bcrypt, memoryCost (KiB) and timeCost of the others. */
function settingsOf(options) {
  if (options === undefined || options === null) return { algorithm: 'argon2id', ...USUAL };
  if (typeof options === 'string') return { algorithm: checkedAlgorithm(options), ...USUAL };
  if (typeof options !== 'object') throw wrongType('options must be a string or an object');
  return {
    algorithm: checkedAlgorithm(options.algorithm ?? 'argon2id'),
    cost: checkedCost(options.cost, USUAL.cost, 4, 31, 'Rounds must be an integer between 4 and 31'),
    memoryCost: checkedCost(options.memoryCost, USUAL.memoryCost, 8, 2 ** 32 - 1, 'Memory cost must be an integer of at least 8'),
    timeCost: checkedCost(options.timeCost, USUAL.timeCost, 1, 2 ** 32 - 1, 'Time cost must be an integer of at least 1'),
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
  return [secret, text, algorithm === undefined ? undefined : checkedAlgorithm(algorithm)];
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
    const given = hashArguments(value, options);
    return later((callback) => native.passwords_hashLater(...intact(given), callback));
  },
  hashSync(value, options) {
    return settled(native.passwords_hash(...intact(hashArguments(value, options))));
  },
  verify(value, hash, algorithm) {
    const given = verifyArguments(value, hash, algorithm);
    return later((callback) => native.passwords_verifyLater(...intact(given), callback));
  },
  verifySync(value, hash, algorithm) {
    return settled(native.passwords_verify(...intact(verifyArguments(value, hash, algorithm))));
  },
};

module.exports = { password };
