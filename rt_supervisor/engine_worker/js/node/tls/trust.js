'use strict';
// Owns: the default trusted certificates: the stores chosen by flags and the environment, their contents, and the native
// store that all connections share.
//
//     bundled (the default): Mozilla's; system: Mozilla's and the system's; openssl: the system's only. NODE_EXTRA_CA_CERTS is added to each.

const runtimeParts = require('internal/parts');
const { setOf } = require('internal/collections');
const { RegExpMatch } = require('internal/patterns');
const {
  ArrayFilter,
  ArrayFind,
  ArrayFlatMap,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySort,
  NumberToString,
  ObjectFreeze,
  StringSlice,
  StringSplit,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { binding } = require('internal/crypto/binding');
const { asBuffer } = require('internal/crypto/input');

// Where systems store all certificates in one file, and where one file each.
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const FOLDERS = ['/etc/ssl/certs', '/etc/pki/tls/certs'];

const fs = () => require('node/fs/sync');

function toPem(der) {
  const lines = ArrayJoin(RegExpMatch(/.{1,64}/g, asBuffer(der).toString('base64')), '\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`;
}

const readAll = (bytes) => ArrayMap(binding().trust_read(bytes), (der) => `${toPem(der)}\n`);

function ofFile(path) {
  try {
    return readAll(fs().readFileSync(path));
  } catch {
    return []; // as OpenSSL treats a missing store
  }
}
function ofFolder(path) {
  try {
    return ArrayFlatMap(ArraySort(fs().readdirSync(path)), (name) => ofFile(`${path}/${name}`));
  } catch {
    return [];
  }
}

/** The system's default store locations. */
function usual() {
  const bundle = ArrayFind(BUNDLES, (path) => fs().existsSync(path));
  return bundle === undefined ? ArrayFlatMap(FOLDERS, ofFolder) : ofFile(bundle);
}

let roots;
const rootCertificates = () => (roots ??= ObjectFreeze(ArrayMap(binding().root_certificates(), toPem)));

let system;
/** The certificates in SSL_CERT_FILE and SSL_CERT_DIR; also those of the system, unless both are set. */
function systemCertificates() {
  if (system !== undefined) return system;
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders } = runtimeParts.process.process.env;
  const certificates = [];
  if (file) ArrayPush(certificates, ...intact(ofFile(file)));
  if (folders) ArrayPush(certificates, ...intact(ArrayFlatMap(ArrayFilter(StringSplit(folders, ':'), Boolean), ofFolder)));
  if (!file || !folders) ArrayPush(certificates, ...intact(usual()));
  return (system = ObjectFreeze([...intact(setOf(certificates))]));
}

const SYSTEM_LIBRARY = 0x80000000;
/** OpenSSL's message for an unreadable file. */
function reasonOf(error) {
  if (error.syscall === undefined) return error.message;
  const words = require('internal/errors/errno').getSystemErrorMessage(error.errno);
  const code = NumberToString(SYSTEM_LIBRARY - error.errno, 16);
  return `error:${code}:system library::${StringToUpperCase(words[0])}${StringSlice(words, 1)}`;
}

let extra;
/** The certificates in the file of NODE_EXTRA_CA_CERTS. */
function extraCertificates() {
  if (extra !== undefined) return extra;
  const file = runtimeParts.process.process.env.NODE_EXTRA_CA_CERTS;
  let certificates = [];
  if (file) {
    try {
      certificates = readAll(fs().readFileSync(file));
    } catch (error) {
      host.emitWarning(`Ignoring extra certs from \`${file}\`, load failed: ${reasonOf(error)}`);
    }
  }
  return (extra = ObjectFreeze(certificates));
}

const trusted = () =>
  startValues.caStore ?? { bundled: true, system: runtimeParts.process.process.env.NODE_USE_SYSTEM_CA === '1' };

let replacement; // set by the program
let together;
function defaultCertificates() {
  if (replacement !== undefined) return replacement;
  if (together !== undefined) return together;
  const { bundled, system } = trusted();
  const certificates = bundled ? [...intact(rootCertificates())] : [];
  if (system) ArrayPush(certificates, ...intact(systemCertificates()));
  ArrayPush(certificates, ...intact(extraCertificates()));
  return (together = ObjectFreeze([...intact(setOf(certificates))]));
}

let shared; // the number of the native store
/** The store for contexts without explicit certificates. */
function defaultStore() {
  if (shared !== undefined) return shared;
  const { bundled, system } = trusted();
  const isBundled = replacement === undefined && bundled;
  const texts = replacement ?? [...intact(system ? systemCertificates() : []), ...intact(extraCertificates())];
  return (shared = binding().trust_new(isBundled, host.native.encodeUtf8(ArrayJoin(texts, '\n'))));
}

function setDefault(texts) {
  replacement = ObjectFreeze([...intact(setOf(texts))]);
  // Contexts that use the old one keep it.
  if (shared !== undefined) binding().trust_free(shared);
  shared = undefined;
}

module.exports = {
  rootCertificates,
  systemCertificates,
  extraCertificates,
  defaultCertificates,
  defaultStore,
  setDefault,
  readAll,
};
