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

class DOMException {
  #name = 'Error';
  #message = '';

  /** @param {string} [message] @param {any} [options] a name, or { name?, cause? } */
  constructor(message = '', options = 'Error') {
    this.#message = `${message}`;
    if (options !== null && typeof options === 'object') {
      this.#name = options.name === undefined ? 'Error' : `${options.name}`;
      if ('cause' in options) {
        ObjectDefineProperty(this, 'cause', {
          __proto__: null,
          value: options.cause,
          writable: true,
          enumerable: false,
          configurable: true,
        });
      }
    } else {
      this.#name = `${options}`;
    }
    ErrorCaptureStackTrace(this, new.target);
  }

  get name() {
    return this.#name;
  }
  get message() {
    return this.#message;
  }
  get code() {
    return MapGet(codes, this.#name) ?? 0;
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

const tell = ({ message, name, stack }) => ({ message, name, stack });

/** An exception as it was told, in this thread or in another one. */
function unpack(kind, { facts: { message, name, stack } }) {
  const copy = new DOMException(message, name);
  ObjectDefineProperty(copy, 'stack', { __proto__: null, configurable: true, writable: true, value: stack });
  return copy;
}

module.exports = { DOMException, unpack };

require('internal/cloneable').tellable(
  (value) => value instanceof DOMException && value.constructor.name !== 'QuotaExceededError',
  (original) => unpack('DOMException', { facts: tell(original) }),
  'DOMException',
  tell,
);
