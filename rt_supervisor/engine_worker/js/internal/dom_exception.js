// @ts-check
'use strict';
// Owns: DOMException: the error type of Web APIs, with the legacy codes of its names.

const { ErrorCaptureStackTrace, intact } = require('internal/primordials');

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
        Object.defineProperty(this, 'cause', {
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
    return codes.get(this.#name) ?? 0;
  }
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
Object.defineProperty(DOMException.prototype, Symbol.toStringTag, { __proto__: null, value: 'DOMException', configurable: true });
for (const name of intact(['name', 'message', 'code']))
  Object.defineProperty(DOMException.prototype, name, { __proto__: null, enumerable: true });
LEGACY.forEach((entry, index) => {
  const { 0: constant, 1: name } = entry.split(' ');
  const descriptor = { __proto__: null, value: index + 1, enumerable: true };
  Object.defineProperty(DOMException, constant, descriptor);
  Object.defineProperty(DOMException.prototype, constant, descriptor);
  if (name !== undefined) codes.set(name, index + 1);
});

module.exports = { DOMException };

require('internal/cloneable').cloneable(
  (value) => value instanceof DOMException && value.constructor.name !== 'QuotaExceededError',
  (original) => {
    const copy = new DOMException(original.message, original.name);
    Object.defineProperty(copy, 'stack', { __proto__: null, configurable: true, writable: true, value: original.stack });
    return copy;
  },
);
