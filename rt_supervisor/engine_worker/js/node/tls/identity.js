'use strict';
// Owns: matching of certificate names and host names (RFC 6125), and the ALPN encoding of protocols.

const {
  ArrayBufferIsView,
  ArrayFlat,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  JSONParse,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringToLowerCase,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { isIP } = require('node/net/address');

const QUOTED = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const FOREIGN = /[^\u0021-\u007F]/u;
const LONGEST_PROTOCOL = 255;

const withoutDot = (name) => RegExpReplace(/[.]$/, name, '');
const labelsOf = (name) =>
  StringSplit(
    RegExpReplace(/[A-Z]/g, withoutDot(name), (letter) => StringToLowerCase(letter)),
    '.',
  );

/** Whether a name in a certificate, possibly with a wildcard in its first label, matches the host. */
function fits(host, pattern) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  if (host.length !== labels.length || ArrayIncludes(labels, '') || ArraySome(labels, (label) => RegExpTest(FOREIGN, label)))
    return false;
  for (let i = host.length - 1; i > 0; i--) if (host[i] !== labels[i]) return false;
  const parts = StringSplit(labels[0], '*', 3);
  if (parts.length === 1 || StringIncludes(labels[0], 'xn--')) return host[0] === labels[0];
  if (parts.length > 2 || labels.length <= 2) return false;
  const [start, end] = intact(parts);
  return start.length + end.length <= host[0].length && StringStartsWith(host[0], start) && StringEndsWith(host[0], end);
}

function splitQuoted(text) {
  const names = [];
  let name = '';
  let at = 0;
  while (at !== text.length) {
    const comma = StringIndexOf(text, ',', at);
    const quote = StringIndexOf(text, '"', at);
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      name += StringSlice(text, at, quote);
      const match = RegExpExec(QUOTED, StringSlice(text, quote));
      if (!match) throw new codes.ERR_TLS_CERT_ALTNAME_FORMAT();
      name += JSONParse(match[0]);
      at = quote + match[0].length;
    } else if (comma !== -1) {
      ArrayPush(names, name + StringSlice(text, at, comma));
      name = '';
      at = comma + 2;
    } else {
      name += StringSlice(text, at);
      at = text.length;
    }
  }
  ArrayPush(names, name);
  return names;
}

/** The canonical form of an IP address; undefined if it is invalid. */
function canonicalAddress(address) {
  const kind = isIP(address);
  if (kind === 4) return address;
  if (kind !== 6) return undefined;
  const { URL } = require('web/url/class');
  return StringSlice(new URL(`http://[${StringSplit(address, '%')[0]}]`).hostname, 1, -1);
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname } = cert;
  hostname = `${hostname}`;
  const ascii = require('node/url/url').domainToASCII(hostname);
  hostname = withoutDot(hostname);
  const names = [];
  const addresses = [];
  if (subjectaltname) {
    for (const name of intact(
      StringIncludes(subjectaltname, '"') ? splitQuoted(subjectaltname) : StringSplit(subjectaltname, ', '),
    )) {
      if (StringStartsWith(name, 'DNS:')) ArrayPush(names, StringSlice(name, 4));
      else if (StringStartsWith(name, 'IP Address:')) ArrayPush(addresses, canonicalAddress(StringSlice(name, 11)));
    }
  }
  let reason;
  if (isIP(hostname)) {
    if (ArrayIncludes(addresses, canonicalAddress(hostname))) return undefined;
    reason = `IP: ${hostname} is not in the cert's list: ${ArrayJoin(addresses, ', ')}`;
  } else if (names.length > 0 || subject?.CN) {
    const labels = labelsOf(withoutDot(ascii));
    const candidates = names.length > 0 ? names : ArrayFlat([subject.CN]);
    if (ArraySome(candidates, (pattern) => fits(labels, pattern))) return undefined;
    reason =
      names.length > 0
        ? `Host: ${hostname}. is not in the cert's altnames: ${subjectaltname}`
        : `Host: ${hostname}. is not cert's CN: ${subject.CN}`;
  } else reason = 'Cert does not contain a DNS name';
  return new codes.ERR_TLS_CERT_ALTNAME_INVALID(reason, hostname, cert);
}

const lateBuffer = () => require('node/buffer/buffer').Buffer;

/** Length-prefixed protocol names. */
function protocolBytes(protocols) {
  const parts = ArrayMap(protocols, (protocol, index) => {
    const name = lateBuffer().from(protocol);
    if (name.length === 0) throw new codes.ERR_INVALID_ARG_VALUE(`protocols[${index}]`, protocol, 'must be a non-empty string');
    if (name.length > LONGEST_PROTOCOL) {
      throw new codes.ERR_OUT_OF_RANGE(
        `The byte length of the protocol at index ${index} exceeds the maximum length.`,
        '<= 255',
        name.length,
        true,
      );
    }
    return lateBuffer().concat([lateBuffer().from([name.length]), name]);
  });
  return lateBuffer().concat(parts);
}

function checkProtocolBytes(buffer) {
  for (let at = 0; at < buffer.length; at += 1 + buffer[at]) {
    if (buffer[at] === 0) throw new codes.ERR_INVALID_ARG_VALUE('ALPNProtocols', buffer, 'must not contain zero-length protocol');
    if (at + 1 + buffer[at] > buffer.length)
      throw new codes.ERR_INVALID_ARG_VALUE('ALPNProtocols', buffer, 'contains truncated protocol');
  }
}

function convertALPNProtocols(protocols, out) {
  if (ArrayIsArray(protocols)) out.ALPNProtocols = protocolBytes(protocols);
  else if (ArrayBufferIsView(protocols)) {
    const bytes = lateBuffer().from(new Uint8Array(protocols.buffer, protocols.byteOffset, protocols.byteLength));
    checkProtocolBytes(bytes);
    out.ALPNProtocols = bytes;
  }
}

/** Decodes the output of `protocolBytes`. */
function protocolNames(bytes) {
  const names = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes[at])
    ArrayPush(
      names,
      lateBuffer()
        .from(TypedArraySubarray(bytes, at + 1, at + 1 + bytes[at]))
        .toString('latin1'),
    );
  return names;
}

module.exports = { checkServerIdentity, convertALPNProtocols, protocolNames };
