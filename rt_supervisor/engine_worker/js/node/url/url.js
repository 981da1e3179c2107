// @ts-check
'use strict';
// Owns: the module node:url: the standard classes, the legacy functions, and helpers for file URLs and domains.

const { defineLazily } = require('internal/lazy');
const { URL, URLSearchParams } = require('web/url/class');
const legacy = require('node/url/legacy');
const files = require('node/url/files');

const ascii = (domain) => URL.parse(`ws://${domain}`)?.hostname ?? '';

module.exports = {
  Url: legacy.Url,
  parse: legacy.parse,
  resolve: legacy.resolve,
  resolveObject: legacy.resolveObject,
  format: legacy.format,
  URLPattern: undefined,
  URL,
  URLSearchParams,
  domainToASCII(domain) {
    if (arguments.length < 1) throw new (require('internal/errors/errors').codes.ERR_MISSING_ARGS)('domain');
    return ascii(`${domain}`);
  },
  domainToUnicode(domain) {
    if (arguments.length < 1) throw new (require('internal/errors/errors').codes.ERR_MISSING_ARGS)('domain');
    const host = ascii(`${domain}`);
    return host === '' ? '' : require('web/url/idna').toUnicode(host);
  },
  pathToFileURL: files.pathToFileURL,
  fileURLToPath: files.fileURLToPath,
  fileURLToPathBuffer: files.fileURLToPathBuffer,
  urlToHttpOptions: files.urlToHttpOptions,
};
defineLazily(module.exports, 'URLPattern', () => require('web/url/pattern/class').URLPattern);
