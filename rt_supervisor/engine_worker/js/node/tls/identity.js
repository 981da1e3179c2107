'use strict';
// Owns: whether a certificate names the host that was meant (RFC 6125), and protocols as ALPN writes them.

const { codes } = require('internal/errors/errors');
const { isIP } = require('node/net/address');

const QUOTED = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const FOREIGN = /[^\u0021-\u007F]/u;
const LONGEST_PROTOCOL = 255;

const withoutDot = (name) => name.replace(/[.]$/, '');
const labelsOf = (name) =>
  withoutDot(name)
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .split('.');

/** Whether a name in a certificate, which may have a wildcard in its first label, is the host's. */
function fits(host, pattern) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  if (host.length !== labels.length || labels.includes('') || labels.some((label) => FOREIGN.test(label))) return false;
  for (let i = host.length - 1; i > 0; i--) if (host[i] !== labels[i]) return false;
  const parts = labels[0].split('*', 3);
  if (parts.length === 1 || labels[0].includes('xn--')) return host[0] === labels[0];
  if (parts.length > 2 || labels.length <= 2) return false;
  const [start, end] = parts;
  return start.length + end.length <= host[0].length && host[0].startsWith(start) && host[0].endsWith(end);
}

function splitQuoted(text) {
  const names = [];
  let name = '';
  let at = 0;
  while (at !== text.length) {
    const comma = text.indexOf(',', at);
    const quote = text.indexOf('"', at);
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      name += text.slice(at, quote);
      const match = QUOTED.exec(text.slice(quote));
      if (!match) throw new codes.ERR_TLS_CERT_ALTNAME_FORMAT();
      name += JSON.parse(match[0]);
      at = quote + match[0].length;
    } else if (comma !== -1) {
      names.push(name + text.slice(at, comma));
      name = '';
      at = comma + 2;
    } else {
      name += text.slice(at);
      at = text.length;
    }
  }
  names.push(name);
  return names;
}

/** An address in its one shortest form; undefined for what is none. */
function canonicalAddress(address) {
  const kind = isIP(address);
  if (kind === 4) return address;
  if (kind !== 6) return undefined;
  const { URL } = require('web/url/class');
  return new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname } = cert;
  hostname = `${hostname}`;
  const ascii = require('node/url/url').domainToASCII(hostname);
  hostname = withoutDot(hostname);
  const names = [];
  const addresses = [];
  if (subjectaltname) {
    for (const name of subjectaltname.includes('"') ? splitQuoted(subjectaltname) : subjectaltname.split(', ')) {
      if (name.startsWith('DNS:')) names.push(name.slice(4));
      else if (name.startsWith('IP Address:')) addresses.push(canonicalAddress(name.slice(11)));
    }
  }
  let reason;
  if (isIP(hostname)) {
    if (addresses.includes(canonicalAddress(hostname))) return undefined;
    reason = `IP: ${hostname} is not in the cert's list: ${addresses.join(', ')}`;
  } else if (names.length > 0 || subject?.CN) {
    const labels = labelsOf(withoutDot(ascii));
    const candidates = names.length > 0 ? names : [subject.CN].flat();
    if (candidates.some((pattern) => fits(labels, pattern))) return undefined;
    reason =
      names.length > 0
        ? `Host: ${hostname}. is not in the cert's altnames: ${subjectaltname}`
        : `Host: ${hostname}. is not cert's CN: ${subject.CN}`;
  } else reason = 'Cert does not contain a DNS name';
  return new codes.ERR_TLS_CERT_ALTNAME_INVALID(reason, hostname, cert);
}

const lateBuffer = () => require('node/buffer/buffer').Buffer;

/** Names with their lengths before them. */
function protocolBytes(protocols) {
  const parts = protocols.map((protocol, index) => {
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
  if (Array.isArray(protocols)) out.ALPNProtocols = protocolBytes(protocols);
  else if (ArrayBuffer.isView(protocols)) {
    const bytes = lateBuffer().from(new Uint8Array(protocols.buffer, protocols.byteOffset, protocols.byteLength));
    checkProtocolBytes(bytes);
    out.ALPNProtocols = bytes;
  }
}

/** The names in bytes as `protocolBytes` makes them. */
function protocolNames(bytes) {
  const names = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes[at])
    names.push(
      lateBuffer()
        .from(bytes.subarray(at + 1, at + 1 + bytes[at]))
        .toString('latin1'),
    );
  return names;
}

module.exports = { checkServerIdentity, convertALPNProtocols, protocolNames };
