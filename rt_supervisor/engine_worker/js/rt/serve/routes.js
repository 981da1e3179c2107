// @ts-check
'use strict';
// Owns: the routing table: exact paths first, then paths with parameters by decreasing specificity, then wildcards.

const { setOf } = require('internal/collections');
const { wrongType } = require('internal/errors/errors');
const { inContext } = require('rt/serve/context');
const {
  ArrayAt,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySort,
  MapGet,
  MapSet,
  MathMax,
  ObjectKeys,
  RegExpTest,
  SetHas,
  StringIncludes,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { Response } = require('web/fetch/response');

const METHODS = setOf(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE']);
const SHAPE = `'routes' expects a Record<string, Response | HTMLBundle | {[method: string]: (req: RTRequest) => Response|Promise<Response>}>`;
const EXAMPLE = `RT.serve() expects 'routes' to be an object shaped like:

  {
    "/path": {
      GET: (req) => new Response("Hello"),
      POST: (req) => new Response("Hello"),
    },
    "/path2/:param": new Response("Hello"),
    "/path3/:param1/:param2": (req) => new Response("Hello")
  }
`;

class Routes {
  #exact = new Map();
  #patterns = []; // { parts, names, isWild, route, rank }

  constructor(routes) {
    if (typeof routes !== 'object' || routes === null) throw wrongType(EXAMPLE);
    for (let index = 0, list = ObjectKeys(routes); index < list.length; index++) {
      const path = list[index];
      if (!StringStartsWith(path, '/') && path !== '*') throw wrongType(`Invalid route "${path}". Path must start with '/'`);
      const route = routeOf(routes[path]);
      if (route === undefined) continue;
      if (RegExpTest(/[*:]/, path)) ArrayPush(this.#patterns, patternOf(path, route));
      else MapSet(this.#exact, path, route);
    }
    ArraySort(this.#patterns, (a, b) => compare(a.rank, b.rank));
  }

  get isEmpty() {
    return this.#exact.size === 0 && this.#patterns.length === 0;
  }

  /**
   * Returns { handler, params } for a path, or undefined. `handler` is a function, a Response, or false, which selects `fetch`.
   */
  find(path, method) {
    const exact = MapGet(this.#exact, path);
    if (exact !== undefined) {
      const handler = handlerOf(exact, method);
      if (handler !== undefined) return { handler, params: {} };
    }
    if (this.#patterns.length === 0) return undefined;
    const parts = StringSplit(path, '/');
    for (let index = 0, list = this.#patterns; index < list.length; index++) {
      const pattern = list[index];
      const params = match(pattern, parts);
      if (params === undefined) continue;
      const handler = handlerOf(pattern.route, method);
      if (handler !== undefined) return { handler, params };
    }
    return undefined;
  }
}

function routeOf(value) {
  if (typeof value === 'function' || value instanceof Response || value === false) return { every: inContext(value) };
  if (typeof value === 'object' && value !== null) {
    if (typeof value.stream === 'function' && typeof value.arrayBuffer === 'function')
      return { every: new Response(value), isFile: true };
    const methods = { __proto__: null };
    let hasAny = false;
    for (const name of intact(ObjectKeys(value))) {
      if (!SetHas(METHODS, name)) continue;
      const handler = value[name];
      if (typeof handler !== 'function' && !(handler instanceof Response)) continue;
      methods[name] = inContext(handler);
      hasAny = true;
    }
    if (hasAny) return { methods };
  }
  if (value === undefined) return undefined;
  throw wrongType(SHAPE);
}

function handlerOf(route, method) {
  if (route.methods === undefined) {
    return route.every;
  }
  return route.methods[method] ?? (method === 'HEAD' ? route.methods.GET : undefined);
}

const EXACT = '0';
const NAMED = '1';
const WILD = '2';
function patternOf(path, route) {
  const parts = StringSplit(path === '*' ? '/*' : path, '/');
  const isWild = ArrayAt(parts, -1) === '*';
  if (isWild) ArrayPop(parts);
  const rank =
    ArrayJoin(
      ArrayMap(parts, (part) => (StringStartsWith(part, ':') ? NAMED : part === '*' ? WILD : EXACT)),
      '',
    ) + (isWild ? '3' : '');
  return { parts, isWild, route, rank };
}
/** Sorts the more specific pattern first; of two with the same beginning, the longer. */
function compare(a, b) {
  for (let i = 0; i < MathMax(a.length, b.length); i++) {
    const { 0: one, 1: other } = [a[i] ?? '9', b[i] ?? '9'];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function match({ parts, isWild }, segments) {
  if (isWild ? segments.length <= parts.length : segments.length !== parts.length) return undefined;
  const params = {};
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (StringStartsWith(part, ':')) {
      if (segments[i] === '') return undefined;
      params[StringSlice(part, 1)] = decodeSegment(segments[i]);
    } else if (part !== '*' && part !== segments[i]) {
      return undefined;
    }
  }
  return params;
}

function decodeSegment(text) {
  if (!StringIncludes(text, '%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // malformed percent-encoding is left unchanged
  }
}

module.exports = { Routes };
