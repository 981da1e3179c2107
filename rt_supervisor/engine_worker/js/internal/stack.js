// @ts-check
'use strict';
// Owns: `error.stack`: source-mapped frames of the program without rt's own, Error.prepareStackTrace with call sites, and V8's
// format of a frame.

const native = host.native;
const {
  FunctionCall,
  MapGet,
  MapHas,
  MapSet,
  ObjectDefineProperty,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringEndsWith,
  StringStartsWith,
  WeakMapGet,
  WeakMapSet,
  WeakSetHas,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const runtimeParts = require('internal/parts');
const OWN = 'rt:';
// The package agent-base, which npm and most proxy agents use, reads the stack to detect calls from node:https.
const NODE_NAMES = { __proto__: null, 'rt:node/https/https': 'node:https' };
const OWN_FOLDER = /^rt:(?:node\/|internal\/)?/;
const LOOP = /^rt:(?:boot\/|internal\/(?:timers|parts))/;
const EVALUATED = /\/(\[(?:eval|stdin|worker eval)\])$/;

/**
 * Returns the name of a frame's file. A program that sees Node only finds what it would find in Node: the library below
 * `node:internal/`, and evaluated code without a folder.
 */
function shownFile(file) {
  if (typeof file !== 'string') return file;
  if (startValues.programName !== 'node') return NODE_NAMES[file] ?? file;
  if (StringStartsWith(file, OWN)) return NODE_NAMES[file] ?? `node:internal/${RegExpReplace(OWN_FOLDER, file, '')}`;
  return RegExpExec(EVALUATED, file)?.[1] ?? file;
}

/**
 * A V8 call site seen through source maps: file, line, column and name are those of the original source.
 * getScriptNameOrSourceURL returns the script that runs, which may have been compiled from another file.
 */
class CallSite {
  #site;
  #place;
  #name;
  #isMapped;

  constructor(site, isMapped = true) {
    this.#site = site;
    this.#isMapped = isMapped;
  }

  #map() {
    if (this.#place === undefined) {
      const file = this.#site.getFileName() || this.#site.getScriptNameOrSourceURL();
      const line = this.#site.getLineNumber();
      const column = this.#site.getColumnNumber();
      this.#place =
        this.#isMapped && typeof file === 'string' && line !== null
          ? native.core_mapPosition(file, line, column)
          : [line, column, null];
    }
    return this.#place;
  }

  getThis() {
    return this.#site.getThis();
  }
  getTypeName() {
    return this.#site.getTypeName();
  }
  getFunction() {
    return this.#site.getFunction();
  }
  getFunctionName() {
    if (this.#name === undefined) {
      this.#name = this.#site.getFunctionName();
      const place = this.#map()[2] === null || !this.#name ? undefined : this.#site.getEnclosingLineNumber();
      if (place > 0) {
        this.#name =
          native.core_mapName(this.#site.getFileName(), place, this.#site.getEnclosingColumnNumber(), this.#name) ?? this.#name;
      }
    }
    return this.#name;
  }
  getMethodName() {
    return this.#site.getMethodName();
  }
  getFileName() {
    return shownFile(this.#map()[2] ?? this.#site.getFileName() ?? undefined);
  }
  getLineNumber() {
    return this.#map()[0];
  }
  getColumnNumber() {
    return this.#map()[1];
  }
  getEvalOrigin() {
    return undefined;
  } // for every frame, because the text of a frame contains the origin
  getScriptNameOrSourceURL() {
    return this.#site.getScriptNameOrSourceURL();
  }
  getScriptHash() {
    return this.#site.getScriptHash?.() ?? '';
  }
  getEnclosingLineNumber() {
    return this.#site.getEnclosingLineNumber?.();
  }
  getEnclosingColumnNumber() {
    return this.#site.getEnclosingColumnNumber?.();
  }
  getPosition() {
    return this.#site.getPosition();
  }
  getPromiseIndex() {
    return this.#site.getPromiseIndex();
  }
  isToplevel() {
    return this.#site.isToplevel() || this.#site.getFunctionName() === null;
  }
  isEval() {
    return this.#site.isEval();
  }
  isNative() {
    const site = this.#site;
    if (site.isNative()) return true;
    // A script may lack a name, but its lines have numbers.
    return !site.isEval() && !site.getFileName() && !site.getScriptNameOrSourceURL() && site.getLineNumber() === null;
  }
  isConstructor() {
    return this.#site.isConstructor();
  }
  isAsync() {
    return this.#site.isAsync();
  }
  isPromiseAll() {
    return this.#site.isPromiseAll();
  }
  toString() {
    return frameText(this, this.#site);
  }
}
ObjectDefineProperty(CallSite, 'name', { __proto__: null, value: 'CallSite' });

const IDENTIFIER = /^[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*$/u;
const isName = (value) => typeof value === 'string' && value !== '';

/** Returns whether `method` is the last part of the function name: `b` of `a.b`, of `get b` and of `b` itself. */
function endsWithMethod(name, method) {
  if (!StringEndsWith(name, method)) return false;
  const before = name[name.length - method.length - 1];
  return before === undefined || before === '.' || before === ' ';
}

/** Returns the text of a method call as V8 writes it: the type of the receiver, the function, and the name it was called by. */
function methodText(name, site) {
  const type = site.getTypeName();
  const method = site.getMethodName();
  if (!isName(name)) return `${isName(type) ? `${type}.` : ''}${isName(method) ? method : '<anonymous>'}`;
  const isTyped = isName(type) && !StringStartsWith(name, type) && RegExpTest(IDENTIFIER, name);
  const typed = isTyped ? `${type}.${name}` : name;
  return isName(method) && !endsWithMethod(name, method) ? `${typed} [as ${method}]` : typed;
}

function functionText(mapped, site) {
  const name = mapped.getFunctionName();
  if (site.isConstructor()) return `new ${isName(name) ? name : '<anonymous>'}`;
  if (!site.isNative() && !site.isToplevel()) return methodText(name, site);
  return isName(name) ? name : '';
}

const ORIGIN = /\(([^()]*):(\d+):(\d+)\)/;

/** An origin such as `eval at f (file:1:2)`, which may be nested, with the location mapped. */
function originText(origin) {
  return RegExpReplace(ORIGIN, origin, (whole, file, line, column) => {
    const place = native.core_mapPosition(file, Number(line), Number(column));
    return `(${place[2] ?? file}:${place[0]}:${place[1]})`;
  });
}

function placeText(mapped, site) {
  if (mapped.isNative()) return startValues.programName === 'node' && !site.isNative() ? '<anonymous>' : 'native';
  const file = mapped.getFileName() || mapped.getScriptNameOrSourceURL();
  const position = `${mapped.getLineNumber()}:${mapped.getColumnNumber()}`;
  if (file) return `${file}:${position}`;
  const origin = site.getEvalOrigin();
  return origin ? `${originText(origin)}, <anonymous>:${position}` : `<anonymous>:${position}`;
}

function frameText(mapped, site) {
  if (site.isAsync() && site.getPromiseIndex() !== null) {
    return `async Promise.${site.getFunctionName()} (index ${site.getPromiseIndex()})`;
  }
  const name = functionText(mapped, site);
  const before = site.isAsync() ? 'async ' : '';
  const place = placeText(mapped, site);
  return name ? `${before}${name} (${place})` : `${before}${place}`;
}

/**
 * Returns whether a frame of the runtime is omitted. At the top of a stack all calls are: an error is shown where the program
 * caused it. Further down, and where it awaits the program, a program that sees Node only finds them, as in Node, except those that run callbacks and promise jobs,
 * which are native code there.
 */
const isHidden = (site, isTop, showsOwn) => {
  const file = site.getFileName();
  if (typeof file !== 'string' || !StringStartsWith(file, OWN)) return false;
  return (isTop && !(showsOwn && site.isAsync())) || !((showsOwn && !RegExpTest(LOOP, file)) || NODE_NAMES[file] !== undefined);
};

function headline(error) {
  try {
    const { name = 'Error', message = '' } = error;
    const title = `${name}`;
    const text = `${message}`;
    if (text === '') return title;
    return title === '' ? text : `${title}: ${text}`;
  } catch {
    return 'Error';
  }
}

const behindHook = new WeakMap();
const publishing = new Map(); // file -> whether it has a source map that is not rt's own

/**
 * Returns whether the frames that a hook of the program receives are those of the original source. In a program that sees Node only,
 * they are those of the published file, as in Node: hooks, such as that of the package source-map-support, map them themselves.
 */
function isMappedForHook(file) {
  if (startValues.programName !== 'node' || typeof file !== 'string' || StringStartsWith(file, OWN)) return true;
  if (!MapHas(publishing, file)) {
    const { 2: map, 3: isOwn } = native.core_compiledSource(file);
    MapSet(publishing, file, map !== null && !isOwn);
  }
  return !MapGet(publishing, file);
}

/** Returns the frames of an error whose stack the program's own Error.prepareStackTrace formatted. */
const framesBehindHook = (error) => WeakMapGet(behindHook, error)?.map((site) => `    at ${site}`);

/** The frames of a call, for errors that follow from it later (internal/errors/places). */
class Place {
  #limit;

  /** @param {number} limit the largest number of frames of the program */
  constructor(limit) {
    this.#limit = limit;
  }

  static isPlace(value) {
    return #limit in value;
  }

  /** Returns the lines of the frames, each after a line break. */
  text() {
    return /** @type {any} */ (this).stack;
  }

  format(sites) {
    let text = '';
    let first = 0;
    while (first < sites.length && sites[first].isNative()) first++; // `new Promise`, which the library called
    for (let i = first; i < sites.length && i < first + this.#limit; i++) text += `\n    at ${sites[i]}`;
    return text;
  }
}

/** The global objects of ShadowRealms, where the program's own Error.prepareStackTrace does not count. */
const realms = new WeakSet();

/** Error.prepareStackTrace of the context with that global object; without one, a context of node:vm uses the program's. */
function hookOf(global) {
  if (global === undefined || global === globalThis) return Error.prepareStackTrace;
  const own = global.Error?.prepareStackTrace;
  return typeof own === 'function' || WeakSetHas(realms, global) ? own : Error.prepareStackTrace;
}

/** Called by the engine on the first access to `error.stack`, with the global object of the error's context. */
function prepare(error, sites) {
  const frames = [];
  const isPlace = Place.isPlace(error);
  const showsOwn = startValues.programName === 'node' && !isPlace;
  const hook = isPlace ? undefined : hookOf(this);
  const isHooked = typeof hook === 'function' && hook !== ErrorPrepareStackTrace;
  for (let i = 0; i < sites.length; i++) {
    if (isHidden(sites[i], frames.length === 0, showsOwn)) continue;
    frames[frames.length] = new CallSite(sites[i], !isHooked || isMappedForHook(sites[i].getFileName()));
  }
  if (isPlace) return error.format(frames);
  if (isHooked) {
    endAtReplLine(frames);
    WeakMapSet(behindHook, error, frames);
    return FunctionCall(hook, Error, error, frames);
  }
  return defaultPrepare(error, frames);
}

/** Removes the frame of a line that a REPL has evaluated, and those below it. */
function endAtReplLine(frames) {
  if (!runtimeParts.hasRepl) return;
  for (let i = frames.length - 1; i >= 0; i--) {
    if (!frames[i].getFunctionName() && RegExpTest(/^REPL\d+$/, frames[i].getFileName() ?? '')) {
      frames.length = i;
      return;
    }
  }
}

/** The initial value of Error.prepareStackTrace in programs that see Node only, which call it from hooks of their own. */
function ErrorPrepareStackTrace(error, trace) {
  return defaultPrepare(error, trace);
}

function startHook() {
  ObjectDefineProperty(Error, 'prepareStackTrace', {
    __proto__: null,
    value: ErrorPrepareStackTrace,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

function defaultPrepare(error, sites) {
  let text = headline(error);
  for (let i = 0; i < sites.length; i++) text += `\n    at ${sites[i]}`;
  return text;
}

module.exports = { startHook, prepare, realms, shownFile, headline, framesBehindHook, CallSite, Place };
