'use strict';
// Owns: the options of RT.serve: validation and normalization.

const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { inContext } = require('rt/serve/context');
const { ArrayIsArray, MathMax, NumberIsInteger, ObjectKeys, RegExpTest, StringTrim, intact } = require('internal/primordials');
const { Routes } = require('rt/serve/routes');
const { codes, wrongType } = require('internal/errors/errors');

const USUAL_PORT = 3000;
const USUAL_IDLE_S = 10;
const MOST_IDLE_S = 255;

const NEEDS = `RT.serve() needs either:

  - A routes object:
     routes: {
       "/path": {
         GET: (req) => new Response("Hello")
       }
     }

  - Or a fetch handler:
     fetch: (req) => {
       return new Response("Hello")
     }
`;

function handlers(options) {
  const { fetch, error, routes, websocket } = options;
  if (fetch !== undefined && fetch !== null && typeof fetch !== 'function') throw wrongType('Expected fetch() to be a function');
  if (error !== undefined && error !== null && typeof error !== 'function') throw wrongType('Expected error to be a function');
  if (websocket !== undefined && websocket !== null && typeof websocket !== 'object')
    throw wrongType('Expected websocket to be an object');
  const entries = routes ?? options.static;
  const table = entries === undefined || entries === null ? undefined : new Routes(entries);
  if (!fetch && (table === undefined || table.isEmpty)) throw wrongType(NEEDS);
  return {
    handler: inContext(fetch ?? undefined),
    onError: inContext(error ?? undefined),
    routes: table === undefined || table.isEmpty ? undefined : table,
    webSockets: websocket ? require('rt/serve/web_sockets').optionsOf(websocket) : undefined,
  };
}

function portOf({ port }) {
  if (port === undefined || port === null) {
    const { env } = runtimeParts.process.process;
    for (const value of intact([startValues.servePort, env.RT_PORT, env.BUN_PORT, env.PORT, env.NODE_PORT])) {
      if (value !== undefined && RegExpTest(/^\d+$/, `${value}`) && Number(value) <= 65535) return Number(value);
    }
    return USUAL_PORT;
  }
  const number = typeof port === 'string' ? (StringTrim(port) === '' ? Number.NaN : Number(port)) : port;
  if (!NumberIsInteger(number)) {
    throw new codes.ERR_OUT_OF_RANGE('options.port', 'an integer', typeof number === 'number' ? number : Number.NaN);
  }
  if (number < 0 || number > 65535) {
    throw new codes.ERR_OUT_OF_RANGE('options.port', '>= 0 and <= 65535', number);
  }
  return number;
}

function idleOf({ idleTimeout }) {
  if (idleTimeout === undefined || idleTimeout === null) return USUAL_IDLE_S;
  if (typeof idleTimeout !== 'number' || !NumberIsInteger(idleTimeout))
    throw wrongType('RT.serve expects idleTimeout to be an integer');
  if (idleTimeout > MOST_IDLE_S) throw wrongType('RT.serve expects idleTimeout to be 255 or less');
  return MathMax(0, idleTimeout);
}

/** Returns whether certificates are given: an empty `tls` counts as none. */
function wantsTls(tls) {
  if (tls === undefined || tls === null || tls === false) return false;
  if (typeof tls !== 'object') throw wrongType('TLSOptions must be an object');
  return ArrayIsArray(tls) ? tls.length > 0 : ObjectKeys(tls).length > 0;
}

module.exports = { handlers, idleOf, portOf, wantsTls };
