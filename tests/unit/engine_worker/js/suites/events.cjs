'use strict';
// A walk through EventEmitter, event targets and abort signals, recorded as a log.

const util = require('node:util');

// These follow the standard and Bun instead of Node: composedPath() in a listener, and the error of a second dispatch.
const KNOWN = new Set(['false true 0 true', 'Error']);

const walk = async function (EE, Event, EventTarget, CustomEvent, AbortController, AbortSignal) {
  const log = [];
  const L = (...a) => log.push(util.format(...a));
  const T = async (f) => {
    try {
      L('ok', await f());
    } catch (e) {
      L('ERR', e.name, e.code, e.message);
    }
  };
  const e = new EE();
  e.on('newListener', (t, l) => L('new', String(t), typeof l));
  e.on('removeListener', (t, l) => L('rem', String(t), l.name));
  const f = function f(...a) {
    L('f', ...a);
  };
  e.on('a', f)
    .once('a', function g() {
      L('g');
    })
    .prependListener('a', () => L('p'));
  L(e.emit('a', 1, 2), e.emit('a', 3), e.emit('zz'));
  L(
    e.eventNames(),
    e.listenerCount('a'),
    e.listenerCount('a', f),
    e.rawListeners('a').length,
    e.listeners('a').map((x) => x.name),
  );
  e.off('a', f);
  e.removeAllListeners('a');
  e.removeAllListeners();
  L(e.eventNames());
  await T(() => e.emit('error'));
  await T(() => e.emit('error', new Error('x')));
  await T(() => e.emit('error', { a: 1 }));
  await T(() => e.emit('error', null));
  e.on(EE.errorMonitor, (x) => L('mon', x.message));
  e.on('error', (x) => L('h', x.message));
  e.emit('error', new Error('q'));
  await T(() => e.on('x', 5));
  await T(() => e.setMaxListeners(-1));
  await T(() => e.once('x'));
  await T(() => e.removeListener('x'));
  await T(() => {
    EE.defaultMaxListeners = 'x';
  });
  const c = new EE({ captureRejections: true });
  c.on('error', (x) => L('cap', x.message));
  c.on('y', async () => {
    throw new Error('async');
  });
  c.emit('y');
  await new Promise((r) => setTimeout(r, 5));
  c[Symbol.for('nodejs.rejection')] = (x, t, ...a) => L('rej', x.message, t, a);
  c.emit('y', 1, 2);
  await new Promise((r) => setTimeout(r, 5));
  const o = new EE();
  setTimeout(() => o.emit('go', 1, 2), 1);
  L(await EE.once(o, 'go'));
  setTimeout(() => o.emit('error', new Error('bad')), 1);
  await T(() => EE.once(o, 'go'));
  const ac = new AbortController();
  setTimeout(() => ac.abort(), 1);
  await T(() => EE.once(o, 'go', { signal: ac.signal }));
  L(o.listenerCount('go'), o.listenerCount('error'));
  const ac2 = new AbortController();
  setTimeout(() => {
    o.emit('n', 'a');
    o.emit('n', 'b');
    ac2.abort();
  }, 1);
  await T(async () => {
    for await (const [v] of EE.on(o, 'n', { signal: ac2.signal })) L('it', v);
  });
  setTimeout(() => {
    o.emit('n', 1);
    o.emit('end');
  }, 1);
  for await (const v of EE.on(o, 'n', { close: ['end'] })) L('it', v);
  const t = new EventTarget();
  setTimeout(() => t.dispatchEvent(new Event('z')), 1);
  L((await EE.once(t, 'z'))[0].type);
  await T(() => EE.once({}, 'x'));
  L(EE.getEventListeners(e, 'error').length, EE.listenerCount(e, 'error'), EE.getMaxListeners(e));
  L(
    util.inspect(new EE()).replace(/Symbol\(shapeMode\): false,?\s*/, ''),
    Object.keys(EE)
      .filter((k) => !/Async|Domain/.test(k))
      .sort()
      .join(),
    EE.length,
    EE.name,
  );
  function Old() {
    EE.call(this);
  }
  util.inherits(Old, EE);
  const old = new Old();
  old.on('x', () => L('old'));
  old.emit('x');
  class Sub extends EE {}
  L(new Sub() instanceof EE, new Sub().on('a', () => {}).emit('a'));
  const w = new EE();
  w.setMaxListeners(1);
  w.on('a', f);
  w.on('a', f);
  const e2 = new EE();
  const seq = [];
  e2.on('a', () => {
    seq.push(1);
    e2.on('a', () => seq.push(3));
  });
  e2.on('a', () => seq.push(2));
  e2.emit('a');
  L(seq);
  // targets
  const et = new EventTarget();
  et.addEventListener('x', {
    handleEvent(ev) {
      L('obj', ev.type, this !== undefined, ev.eventPhase);
    },
  });
  et.addEventListener(
    'x',
    (ev) => {
      ev.preventDefault();
      L(ev.defaultPrevented, ev.cancelable, ev.composedPath().length, ev.target === et);
    },
    { passive: true },
  );
  L(et.dispatchEvent(new Event('x', { cancelable: true })));
  const ce = new CustomEvent('c', { detail: { q: 1 }, bubbles: true });
  L(ce.detail, ce.bubbles, ce instanceof Event, Object.prototype.toString.call(ce));
  await T(() => new Event());
  await T(() => et.addEventListener());
  await T(() => et.addEventListener('x', 5));
  await T(() => et.dispatchEvent({}));
  await T(() => new Event('x', 5));
  const ev = new Event('dup');
  et.addEventListener('dup', () => {
    try {
      et.dispatchEvent(ev);
    } catch (x) {
      L(x.name);
    }
  });
  et.dispatchEvent(ev);
  const s = AbortSignal.any([ac.signal, new AbortController().signal]);
  L(s.aborted, s.reason?.name);
  const d = new AbortController();
  const any = AbortSignal.any([AbortSignal.any([d.signal])]);
  any.onabort = (q) => L('any', any.reason, q.type);
  d.abort('r');
  d.abort('s');
  await T(() => d.signal.throwIfAborted());
  await T(() => new AbortSignal());
  L(AbortSignal.abort().reason.name, AbortSignal.abort(1).reason);
  await new Promise((r) =>
    AbortSignal.timeout(3).addEventListener('abort', function () {
      L(this.reason.name, this.reason.code);
      r();
    }),
  );
  L(util.inspect(d), util.inspect(new EventTarget()), util.inspect(new Event('x')).split('\n').slice(0, 3).join());
  const b = EE.addAbortListener(new AbortController().signal, () => {});
  L(typeof b[Symbol.dispose]);
  return log;
};

module.exports = async ({ compare, ours }) => {
  const theirs = await walk(require('node:events'), Event, EventTarget, CustomEvent, AbortController, AbortSignal);
  const t = ours('web/event_target');
  const a = ours('web/abort');
  const own = await walk(ours('node/events/events'), t.Event, t.EventTarget, t.CustomEvent, a.AbortController, a.AbortSignal);
  for (let i = 0; i < Math.max(theirs.length, own.length); i++)
    compare(
      `step ${i}`,
      () => theirs[i],
      () => own[i],
      '',
      () => KNOWN.has(theirs[i]),
    );
};
