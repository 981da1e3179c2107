// @ts-check
'use strict';
// Owns: WebAssembly.compileStreaming and instantiateStreaming, which take a Response or a promise of one.

const { ObjectAssign, StringReplace } = require('internal/primordials');
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

/** Runs a function of WebAssembly on bytes that have arrived; errors name the streaming function, which the program called. */
async function streamed(name, run) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) {
      error.message = StringReplace(error.message, `WebAssembly.${name}():`, () => `WebAssembly.${name}Streaming():`);
    }
    throw error;
  }
}

async function compileStreaming(source, options) {
  const bytes = await bytesOf(source);
  return streamed('compile', () => WebAssembly.compile(bytes, options));
}

async function instantiateStreaming(source, imports, options) {
  const bytes = await bytesOf(source);
  return streamed('instantiate', () => WebAssembly.instantiate(bytes, imports, options));
}

module.exports = { compileStreaming, instantiateStreaming };
