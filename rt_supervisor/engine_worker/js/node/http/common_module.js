'use strict';
// Owns: `_http_common`, which packages use for its parser and header checks. rt's own servers and clients do not use it.

const { ArrayIsArray, ArrayPop, ArrayPush, ReflectApply } = require('internal/primordials');
const { isToken, hasBadCharacter } = require('node/http/fields');
const { HTTPParser, methods } = require('node/http/http_parser');
const { isLenient } = require('node/http/leniency');

const kIncomingMessage = Symbol('IncomingMessage');
const kSkipPendingData = Symbol('SkipPendingData');
const { kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageBegin, kOnMessageComplete, kOnExecute, kOnTimeout } = HTTPParser;
const STATE = [
  '_headers',
  '_url',
  'socket',
  'incoming',
  'outgoing',
  'maxHeaderPairs',
  '_consumed',
  'onIncoming',
  'joinDuplicateHeaders',
];
const INITIAL = { __proto__: null, _headers: [], _url: '', maxHeaderPairs: 2000, _consumed: false };

/** A pool of reusable parsers. */
class FreeList {
  constructor(name, max, ctor) {
    this.name = name;
    this.ctor = ctor;
    this.max = max;
    this.list = [];
  }

  alloc(...args) {
    return this.list.length > 0 ? ArrayPop(this.list) : ReflectApply(this.ctor, this, args);
  }

  free(item) {
    if (this.list.length >= this.max) return false;
    ArrayPush(this.list, item);
    return true;
  }
}

function clean(parser) {
  for (let i = 0; i < STATE.length; i++) {
    const initial = INITIAL[STATE[i]] ?? null;
    parser[STATE[i]] = ArrayIsArray(initial) ? [] : initial;
  }
  const callbacks = [kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageBegin, kOnMessageComplete, kOnExecute, kOnTimeout];
  for (let i = 0; i < callbacks.length; i++) parser[callbacks[i]] = null;
}

const parsers = new FreeList('parsers', 1000, function parsersCb() {
  const parser = new HTTPParser();
  clean(parser);
  return parser;
});

function freeParser(parser, req, socket) {
  if (parser) {
    clean(parser);
    parser.free();
    if (!parsers.free(parser)) parser.close();
  }
  if (req) req.parser = null;
  if (socket) socket.parser = null;
}

function calculateLenientFlags(httpValidation, insecureHTTPParser) {
  if (httpValidation === 'relaxed') return HTTPParser.kLenientHeaderValueRelaxed;
  if (httpValidation === 'insecure') return HTTPParser.kLenientAll;
  return httpValidation !== 'strict' && insecureHTTPParser ? HTTPParser.kLenientAll : HTTPParser.kLenientNone;
}

function prepareError(error, parser, rawPacket) {
  error.rawPacket = rawPacket || parser.getCurrentBuffer();
  if (typeof error.reason === 'string') error.message = `Parse Error: ${error.reason}`;
}

module.exports = {
  _checkInvalidHeaderChar: hasBadCharacter,
  _checkIsHttpToken: isToken,
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  freeParser,
  methods,
  parsers,
  kIncomingMessage,
  HTTPParser,
  isLenient,
  calculateLenientFlags,
  prepareError,
  kSkipPendingData,
};
