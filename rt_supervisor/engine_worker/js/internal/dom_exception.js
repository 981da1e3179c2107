// @ts-check
'use strict';
// Owns: DOMException: the error type of Web APIs, with the legacy codes of its names.

const {
  ArrayForEach,
  ArrayMap,
  ErrorCaptureStackTrace,
  MapGet,
  MapSet,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectSet,
  StringSplit,
  intact,
} = require('internal/primordials');
const { shapeForConsole } = require('internal/inspect/rt_forms');

const LEGACY = [
  'INDEX_SIZE_ERR IndexSizeError',
  'DOMSTRING_SIZE_ERR',
  'HIERARCHY_REQUEST_ERR HierarchyRequestError',
  'WRONG_DOCUMENT_ERR WrongDocumentError',
  'INVALID_CHARACTER_ERR InvalidCharacterError',
  'NO_DATA_ALLOWED_ERR',
  'NO_MODIFICATION_ALLOWED_ERR NoModificationAllowedError',
  'NOT_FOUND_ERR NotFoundError',
  'NOT_SUPPORTED_ERR NotSupportedError',
  'INUSE_ATTRIBUTE_ERR InUseAttributeError',
  'INVALID_STATE_ERR InvalidStateError',
  'SYNTAX_ERR SyntaxError',
  'INVALID_MODIFICATION_ERR InvalidModificationError',
  'NAMESPACE_ERR NamespaceError',
  'INVALID_ACCESS_ERR InvalidAccessError',
  'VALIDATION_ERR',
  'TYPE_MISMATCH_ERR TypeMismatchError',
  'SECURITY_ERR SecurityError',
  'NETWORK_ERR NetworkError',
  'ABORT_ERR AbortError',
  'URL_MISMATCH_ERR URLMismatchError',
  'QUOTA_EXCEEDED_ERR QuotaExceededError',
  'TIMEOUT_ERR TimeoutError',
  'INVALID_NODE_TYPE_ERR InvalidNodeTypeError',
  'DATA_CLONE_ERR DataCloneError',
];

const codes = new Map();

/** The data of an exception, in a private field that no other code can read. */
class Facts
  extends /** @type {any} */ (
    function (error) {
      return error;
    }
  )
{
  #name;
  #message;

  constructor(error, name, message) {
    super(error);
    this.#name = name;
    this.#message = message;
  }

  static isOne(value) {
    return typeof value === 'object' && value !== null && #name in value;
  }

  /** [name, message] */
  static of(error) {
    if (!Facts.isOne(error)) throw new (require('internal/errors/errors').codes.ERR_INVALID_THIS)('DOMException');
    return [error.#name, error.#message];
  }
}

/** Creates an error without stack frames; they are captured later, when it is known which frames to omit. @returns {any} */
function withoutFrames() {
  const limit = Error.stackTraceLimit;
  if (typeof limit !== 'number') return new Error();
  ReflectSet(Error, 'stackTraceLimit', 0); // ineffective if a program has frozen it
  const error = new Error();
  ReflectSet(Error, 'stackTraceLimit', limit);
  return error;
}

// An error object ([[ErrorData]], for `Error.isError` and `isNativeError`) whose constructor does not inherit from another.
class DOMException {
  /** @param {string} [message] @param {any} [options] a name, or { name?, cause? } */
  constructor(message = '', options = 'Error') {
    const error = withoutFrames();
    ObjectSetPrototypeOf(error, new.target.prototype);
    const isRecord = options !== null && typeof options === 'object';
    const name = isRecord ? (options.name === undefined ? 'Error' : `${options.name}`) : `${options}`;
    new Facts(error, name, `${message}`);
    if (isRecord && 'cause' in options) {
      ObjectDefineProperty(error, 'cause', {
        __proto__: null,
        value: options.cause,
        writable: true,
        enumerable: false,
        configurable: true,
      });
    }
    ErrorCaptureStackTrace(error, new.target);
    return error;
  }

  get name() {
    return Facts.of(this)[0];
  }
  get message() {
    return Facts.of(this)[1];
  }
  get code() {
    return MapGet(codes, Facts.of(this)[0]) ?? 0;
  }
}

ObjectSetPrototypeOf(DOMException.prototype, Error.prototype);
ObjectDefineProperty(DOMException.prototype, Symbol.toStringTag, { __proto__: null, value: 'DOMException', configurable: true });
for (const name of intact(['name', 'message', 'code']))
  ObjectDefineProperty(DOMException.prototype, name, { __proto__: null, enumerable: true });
ArrayForEach(LEGACY, (entry, index) => {
  const { 0: constant, 1: name } = StringSplit(entry, ' ');
  const descriptor = { __proto__: null, value: index + 1, enumerable: true };
  ObjectDefineProperty(DOMException, constant, descriptor);
  ObjectDefineProperty(DOMException.prototype, constant, descriptor);
  if (name !== undefined) MapSet(codes, name, index + 1);
});

shapeForConsole(DOMException.prototype, [
  'code',
  'name',
  'message',
  ...intact(ArrayMap(LEGACY, (entry) => StringSplit(entry, ' ')[0])),
  'toString',
]);

const serialize = ({ message, name, stack }) => ({ message, name, stack });

/** Recreates an exception from its serialized form, in this thread or another. */
function unpack(kind, { facts: { message, name, stack } }) {
  const copy = new DOMException(message, name);
  ObjectDefineProperty(copy, 'stack', { __proto__: null, configurable: true, writable: true, value: stack });
  return copy;
}

let isQuotaExceeded = (value) => void value; // set by `internal/quota_exceeded`

/** Excludes instances of QuotaExceededError, which registers its own clones. */
function excludeQuotaExceeded(isOne) {
  isQuotaExceeded = isOne;
}

module.exports = { DOMException, unpack, excludeQuotaExceeded };

require('internal/cloneable').registerSerializable(
  (value) => Facts.isOne(value) && !isQuotaExceeded(value),
  (original) => unpack('DOMException', { facts: serialize(original) }),
  'DOMException',
  serialize,
);
