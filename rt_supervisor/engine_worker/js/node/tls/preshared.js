'use strict';
// Owns: pre-shared keys (PSK): the arguments and results of the program's callback.

const { FunctionCall, intact } = require('internal/primordials');
const { isView, encodeText } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { validateBuffer, validateObject, validateString } = require('internal/validators');

function checkKey(key, longest) {
  if (key.byteLength > longest) throw new codes.ERR_INVALID_ARG_VALUE('psk', key, `Pre-shared key exceeds ${longest} bytes`);
}

/** A client's answer to the server's hint: [identity, key]. */
function ofClient(socket, find, hint, longest, longestIdentity) {
  const answer = FunctionCall(find, socket, hint ?? null);
  if (answer === undefined || answer === null) return undefined;
  validateObject(answer, 'ret');
  const { psk, identity } = answer;
  validateBuffer(psk, 'psk');
  checkKey(psk, longest);
  validateString(identity, 'identity');
  if (encodeText(identity).length > longestIdentity)
    throw new codes.ERR_INVALID_ARG_VALUE('identity', identity, `PSK identity exceeds ${longestIdentity} bytes`);
  return [identity, psk];
}

/** A server's answer to the client's identity: the key. */
function ofServer(socket, find, identity, longest) {
  const answer = FunctionCall(find, socket, socket, identity);
  if (answer === undefined || answer === null) return undefined;
  let key = answer;
  if (!isView(answer)) {
    if (typeof answer !== 'object')
      throw new codes.ERR_INVALID_ARG_TYPE('ret', ['Object', 'Buffer', 'TypedArray', 'DataView'], answer);
    key = answer.psk;
    validateBuffer(key, 'psk');
  }
  checkKey(key, longest);
  return key;
}

/**
 * Makes a connection's handshake call the program, whose errors end the connection. Returns the problem with the hint, if
 * any.
 */
function prepare(socket, handle) {
  const { isServer, pskCallback, pskIdentityHint } = socket._tlsOptions;
  const answer = isServer ? ofServer : ofClient;
  handle.call('tls_ask_key', (...args) => {
    try {
      return answer(socket, pskCallback, ...intact(args));
    } catch (error) {
      socket.destroy(error);
      return undefined;
    }
  });
  if (!isServer || !pskIdentityHint) return undefined;
  try {
    handle.call('tls_key_hint', pskIdentityHint);
  } catch (error) {
    return error;
  }
  return undefined;
}

module.exports = { prepare };
