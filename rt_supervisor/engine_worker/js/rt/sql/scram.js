'use strict';
// Owns: password authentication for PostgreSQL: SCRAM-SHA-256 (RFC 5802, RFC 7677), and MD5 for older servers.

const { AnySlice } = require('internal/any_kind');
const { StringNormalize, StringSplit, StringStartsWith, TypedArrayMap, intact } = require('internal/primordials');
const { failure } = require('rt/sql/errors');
const builtins = require('node/module/builtins');

const crypto = () => builtins.load('crypto');
const { Buffer } = require('node/buffer/buffer');

const md5 = (...parts) => {
  const hash = crypto().createHash('md5');
  for (const part of intact(parts)) hash.update(part);
  return hash.digest('hex');
};
const md5Password = (user, password, salt) => `md5${md5(md5(password, user), salt)}`;

/** One authentication: first(), then final(server's first message), then check(server's final message). */
class Scram {
  #nonce = crypto().randomBytes(18).toString('base64');
  #serverSignature;

  constructor(password) {
    this.password = StringNormalize(password, 'NFKC');
  }
  first() {
    return `n,,n=*,r=${this.#nonce}`;
  }
  final(message) {
    const { r: nonce, s: salt, i: rounds } = fieldsOf(message);
    if (nonce === undefined || !StringStartsWith(nonce, this.#nonce) || salt === undefined)
      throw failure('SASL_SIGNATURE_MISMATCH', 'The server nonce does not begin with the client nonce');
    const { createHmac, createHash, pbkdf2Sync } = crypto();
    const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
    const salted = pbkdf2Sync(this.password, Buffer.from(salt, 'base64'), Number(rounds), 32, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    const bare = `c=biws,r=${nonce}`;
    const all = `n=*,r=${this.#nonce},${message},${bare}`;
    const signature = hmac(createHash('sha256').update(clientKey).digest(), all);
    const proof = Buffer.from(TypedArrayMap(clientKey, (byte, index) => byte ^ signature[index]));
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), all).toString('base64');
    return `${bare},p=${proof.toString('base64')}`;
  }
  check(message) {
    if (fieldsOf(message).v !== this.#serverSignature)
      throw failure('SASL_SIGNATURE_MISMATCH', 'The server could not prove that it knows the password');
  }
}

function fieldsOf(text) {
  const fields = { __proto__: null };
  for (const part of intact(StringSplit(text, ','))) fields[part[0]] = AnySlice(part, 2);
  return fields;
}

module.exports = { Scram, md5Password };
