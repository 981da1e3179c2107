'use strict';
// Owns: `error.stack`: frames of the program as people wrote them (mapped, without rt's own), Error.prepareStackTrace with
// call sites, and the V8 format of a frame.

const native = host.native;
const OWN = 'rt:';

/** A V8 call site seen through the source map. */
class CallSite {
  #site;
  #place;

  constructor(site) { this.#site = site; }

  #mapped() {
    if (this.#place === undefined) {
      const file = this.#site.getFileName() ?? this.#site.getScriptNameOrSourceURL();
      const line = this.#site.getLineNumber();
      const column = this.#site.getColumnNumber();
      this.#place = typeof file === 'string' && line !== null ? native.core_mapPosition(file, line, column) : [line, column, null];
    }
    return this.#place;
  }

  getThis() { return this.#site.getThis(); }
  getTypeName() { return this.#site.getTypeName(); }
  getFunction() { return this.#site.getFunction(); }
  getFunctionName() { return this.#site.getFunctionName(); }
  getMethodName() { return this.#site.getMethodName(); }
  getFileName() { return this.#site.getFileName() ?? undefined; }
  getLineNumber() { return this.#mapped()[0]; }
  getColumnNumber() { return this.#mapped()[1]; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#site.getScriptNameOrSourceURL(); }
  getScriptHash() { return this.#site.getScriptHash?.() ?? ''; }
  getEnclosingLineNumber() { return this.#site.getEnclosingLineNumber?.(); }
  getEnclosingColumnNumber() { return this.#site.getEnclosingColumnNumber?.(); }
  getPosition() { return this.#site.getPosition(); }
  getPromiseIndex() { return this.#site.getPromiseIndex(); }
  isToplevel() { return this.#site.isToplevel() || this.#site.getFunctionName() === null; }
  isEval() { return this.#site.isEval(); }
  isNative() { return this.#site.isNative() || this.#site.getFileName() === null || this.#site.getFileName() === undefined; }
  isConstructor() { return this.#site.isConstructor(); }
  isAsync() { return this.#site.isAsync(); }
  isPromiseAll() { return this.#site.isPromiseAll(); }
  toString() { return frameText(this, this.#site); }
}
Object.defineProperty(CallSite, 'name', { value: 'CallSite' });

function functionText(site) {
  const name = site.getFunctionName();
  if (site.isConstructor()) return `new ${name ?? '<anonymous>'}`;
  return name === null || name === undefined ? '' : name;
}

function frameText(mapped, site) {
  const name = functionText(site);
  const before = site.isAsync() ? 'async ' : '';
  if (site.isPromiseAll()) return `async Promise.all (index ${site.getPromiseIndex()})`;
  const file = mapped.getScriptNameOrSourceURL();
  const place = mapped.isNative() && !site.isEval() ? 'native' : file ? `${file}:${mapped.getLineNumber()}:${mapped.getColumnNumber()}` : '<anonymous>';
  return name ? `${before}${name} (${place})` : `${before}${place}`;
}

const isOwn = (site) => {
  const file = site.getFileName();
  return typeof file === 'string' && file.startsWith(OWN);
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

/** The frames of an error whose stack text the program's own Error.prepareStackTrace made. */
const framesBehindHook = (error) => behindHook.get(error)?.map((site) => `    at ${site}`);

/** Called by the engine when `error.stack` is first read. */
function prepare(error, sites) {
  const shown = sites.filter((site) => !isOwn(site)).map((site) => new CallSite(site));
  const hook = Error.prepareStackTrace;
  if (typeof hook === 'function') {
    behindHook.set(error, shown);
    return hook.call(Error, error, shown);
  }
  return defaultPrepare(error, shown);
}

function defaultPrepare(error, sites) {
  let text = headline(error);
  for (const site of sites) text += `\n    at ${site}`;
  return text;
}

module.exports = { prepare, headline, framesBehindHook, CallSite };
