// @ts-check
'use strict';
// Owns: WebAssembly.compileStreaming and instantiateStreaming, which take a Response or a promise of one.

const { ObjectAssign } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

async function bytesOf(source) {
  const response = await source;
  const { Response } = /** @type {any} */ (require('web/fetch/response'));
  if (!(response instanceof Response)) {
    throw new codes.ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  }
  const refuse = (reason) => {
    throw ObjectAssign(new TypeError(reason), { code: 'ERR_WEBASSEMBLY_RESPONSE' });
  };
  const type = response.headers.get('content-type');
  if (type !== 'application/wasm') refuse(`WebAssembly response has unsupported MIME type '${type ?? ''}'`);
  if (!response.ok) refuse(`WebAssembly response has status code ${response.status}`);
  if (response.bodyUsed) refuse('WebAssembly response body has already been used');
  return response.arrayBuffer();
}

const compileStreaming = async (source, options) => WebAssembly.compile(await bytesOf(source), options);

const instantiateStreaming = async (source, imports, options) => WebAssembly.instantiate(await bytesOf(source), imports, options);

module.exports = { compileStreaming, instantiateStreaming };
