'use strict';
// Owns: the option `tls` of RT.serve: its validation, and the acceptor created from it (native/crypto/src/tls_acceptor.rs).
// Errors name the option and the file that caused them.

const {
  ArrayFilter,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ObjectAssign,
  ObjectEntries,
  RegExpTest,
  StringSplit,
  intact,
} = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { isAnyArrayBuffer } = require('internal/brands');
const { createSecureContext } = require('node/tls/context');
const defaults = require('node/tls/defaults');
const { convertALPNProtocols } = require('node/tls/identity');
const { wrongType } = require('internal/errors/errors');
const builtins = require('node/module/builtins');

const { isView } = ArrayBuffer;
const KINDS = {
  __proto__: null,
  passphrase: 'string',
  ciphers: 'string',
  serverName: 'string',
  dhParamsFile: 'string',
  keyFile: 'string',
  certFile: 'string',
  caFile: 'string',
  secureOptions: 'number',
  requestCert: 'boolean',
  rejectUnauthorized: 'boolean',
  lowMemoryMode: 'boolean',
};
const VERSIONS = { __proto__: null, 0x301: 'TLSv1', 0x302: 'TLSv1.1', 0x303: 'TLSv1.2', 0x304: 'TLSv1.3' };
const PEM_KINDS = 'string, ArrayBuffer, Blob, array of <string, ArrayBuffer, or Blob>, or null';

const isFile = (value) =>
  typeof value === 'object' && value !== null && typeof value.name === 'string' && typeof value.exists === 'function';
const isGiven = (value) => value !== undefined && value !== null;

/** Prefixes an OpenSSL error with the option that caused it. */
const prefixError = (words, error, code = error.code) => ObjectAssign(error, { message: `${words}: ${error.message}`, code });

function checkKinds(options) {
  for (const { 0: name, 1: kind } of intact(ObjectEntries(KINDS))) {
    const value = options[name];
    const type = typeof value;
    if (isGiven(value) && type !== kind) throw wrongType(`TLSOptions.${name} must be a ${kind}`);
  }
}

function readPath(path, option) {
  try {
    return builtins.load('fs').readFileSync(path);
  } catch (error) {
    throw wrongType(`Unable to access ${option} path: ${error.message}`);
  }
}

/** Returns the values of `name` and the contents of `nameFile`, each with a description of its position. */
function pemsOf(options, name, at) {
  const file = options[`${name}File`];
  if (isGiven(file)) return [{ pem: readPath(file, `${name}File`), place: `${at}.${name}File (${file})` }];
  const value = options[name];
  if (!isGiven(value) || value === false) return [];
  return ArrayMap(ArrayIsArray(value) ? value : [value], (each) => {
    if (typeof each === 'string' || isView(each)) return { pem: each, place: `${at}.${name}` };
    if (isAnyArrayBuffer(each)) return { pem: new Uint8Array(each), place: `${at}.${name}` };
    if (isFile(each)) return { pem: builtins.load('fs').readFileSync(each.name), place: `${at}.${name} (${each.name})` };
    throw wrongType(`TLSOptions.${name} must be of type ${PEM_KINDS}`);
  });
}

const NO_PEM = 'ERR_OSSL_PEM_NO_START_LINE';

function setCertificates(context, certificates) {
  for (const { pem, place } of intact(certificates)) {
    try {
      context.setCert(pem);
    } catch (error) {
      throw prefixError(`${place} does not contain a certificate`, error);
    }
  }
}

function setKeys(context, keys, { passphrase }, at) {
  for (const { pem, place } of intact(keys)) {
    try {
      context.setKey(pem, passphrase);
    } catch (error) {
      if (error.code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') throw prefixError(`${place} is not the key of ${at}.cert`, error);
      if (RegExpTest(/^ERR_OSSL_(?:EVP_)?BAD_DECRYPT$/, error.code)) {
        const lock = isGiven(passphrase) ? `${at}.passphrase does not decrypt it` : `there is no ${at}.passphrase`;
        throw prefixError(`${place} is encrypted, and ${lock}`, error);
      }
      throw prefixError(
        `${place} does not contain a private key`,
        error,
        error.code === 'ERR_OSSL_UNSUPPORTED' ? NO_PEM : error.code,
      );
    }
  }
}

function trust(context, authorities, { requestCert }) {
  for (const { pem, place } of intact(authorities)) {
    if (context.addCACert(pem) === 0)
      throw ObjectAssign(new Error(`${place} does not contain a certificate: Failed to create HTTP server`), { code: NO_PEM });
  }
  if (authorities.length === 0 && requestCert) context.addRootCerts();
}

function setDiffieHellman(context, { dhParamsFile }, at) {
  if (!isGiven(dhParamsFile)) return;
  const bits = binding().context_dh(context.number, readPath(dhParamsFile, 'dhParamsFile'));
  const place = `${at}.dhParamsFile (${dhParamsFile})`;
  if (bits === undefined) throw ObjectAssign(new Error(`${place} does not contain Diffie-Hellman parameters`), { code: NO_PEM });
  if (bits < 1024) throw wrongType(`${place} holds parameters of ${bits} bits; at least 1024 are required`);
}

function versionOf(options, name, at) {
  const value = options[name];
  if (typeof value !== 'number') return value;
  const version = VERSIONS[value];
  if (version === undefined) throw wrongType(`${at}.${name} must be a version of TLS, 0x0301 to 0x0304`);
  return version;
}

/** Unless the program or the command line overrides it, the fastest of the strong ciphers comes first, as in Bun. */
function ciphersOf({ ciphers }) {
  if (isGiven(ciphers)) return ciphers;
  return ArrayJoin(
    [
      'TLS_AES_128_GCM_SHA256',
      ...intact(ArrayFilter(StringSplit(defaults.ciphers(), ':'), (each) => each !== 'TLS_AES_128_GCM_SHA256')),
    ],
    ':',
  );
}

/** Returns the secure context of one options object; `at` is its index in the program's list. */
function contextOf(options, at) {
  checkKinds(options);
  const { 0: certificates, 1: keys, 2: authorities } = ArrayMap(['cert', 'key', 'ca'], (name) => pemsOf(options, name, at));
  let context;
  try {
    ({ context } = createSecureContext({
      ...options,
      ciphers: ciphersOf(options),
      honorCipherOrder: options.honorCipherOrder ?? true,
      minVersion: versionOf(options, 'minVersion', at),
      maxVersion: versionOf(options, 'maxVersion', at),
      ca: [], // set below, where errors can be attributed
      cert: undefined,
      key: undefined,
      passphrase: options.passphrase ?? undefined,
    }));
  } catch (error) {
    throw error.code === 'ERR_SSL_NO_CIPHER_MATCH' ? prefixError(`${at}.ciphers`, error) : error;
  }
  setCertificates(context, certificates);
  setKeys(context, keys, options, at);
  trust(context, authorities, options);
  setDiffieHellman(context, options, at);
  return context;
}

/** Returns the protocols in wire format: those of the options, otherwise those that RT.serve supports. */
function protocolsOf({ ALPNProtocols: given }, http2) {
  const entries = {};
  if (!isGiven(given)) convertALPNProtocols(http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'], entries);
  else if (ArrayIsArray(given)) convertALPNProtocols(given, entries);
  else if (typeof given === 'string') return builtins.load('buffer').Buffer.from(given, 'latin1');
  else if (isView(given)) return given;
  else if (isAnyArrayBuffer(given)) return new Uint8Array(given);
  else throw wrongType('TLSOptions.ALPNProtocols must be of type string, ArrayBuffer, or null');
  return entries.ALPNProtocols;
}

/** Returns the number of an acceptor, which the caller must free, and the contexts, which must live as long. */
function acceptorOf(tls, http2) {
  const isList = ArrayIsArray(tls) && tls.length > 1;
  const entries = ArrayIsArray(tls) ? tls : [tls];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (typeof entry !== 'object' || entry === null) throw wrongType('TLSOptions must be an object');
    if (index > 0 && !entry.serverName) throw wrongType('SNI tls object must have a serverName');
  }
  const protocols = protocolsOf(entries[0], http2);
  const contexts = ArrayMap(entries, (entry, index) => contextOf(entry, isList ? `TLSOptions[${index}]` : 'TLSOptions'));
  const number = binding().tls_acceptor(protocols);
  for (let index = 0; index < entries.length; index++) {
    const { serverName, requestCert, rejectUnauthorized } = entries[index];
    const pattern = index === 0 ? undefined : serverName;
    binding().tls_acceptor_add(number, contexts[index].number, pattern, requestCert === true, rejectUnauthorized !== false);
  }
  return { number, free: () => binding().tls_acceptor_free(number) };
}

module.exports = { acceptorOf };
