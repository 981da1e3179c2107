// Domains: errors of timers, promises, emitters and callbacks reach the domain's listeners; nesting; bound functions.
const domain = require('node:domain');
const { EventEmitter } = require('node:events');
const log = (...words) => console.log(...words.map((word) => (word instanceof Error ? word.message : word)));
const made = (name) => {
  const one = domain.create();
  one.on('error', (error) => log(name, error, error.domainThrown, error.domain === one, domain.active === one));
  return one;
};
const outer = made('outer');
log(process.domain, domain.active, EventEmitter.usingDomains, domain._stack.length);
log(outer.run((a, b) => [process.domain === outer, domain._stack.length, a + b], 1, 2).join());
log(process.domain);
const emitter = outer.run(() => new EventEmitter());
log(emitter.domain === outer, Object.keys(emitter).includes('domain'));
log(emitter.emit('error', new Error('emitted')));
emitter.on('x', () => log('inside', process.domain === outer));
emitter.emit('x');
const alone = new EventEmitter();
outer.add(alone);
log(outer.members.length, alone.domain === outer);
alone.emit('error', new Error('added'));
outer.remove(alone);
try { alone.emit('error', new Error('removed')); } catch (error) { log('thrown', error); }
outer.intercept((value) => log('intercepted', value))(null, 20);
outer.intercept(() => log('never'))(new Error('first argument'));
log(outer.bind((a) => a * 2).domain === outer, outer.bind((a) => [a, process.domain === outer].join())(4));
process.on('exit', () => log('end', process.domain, domain._stack.length));
// Each step starts after the previous error has been reported.
const inner = domain.create();
inner.on('error', () => { throw new Error('again'); });
const steps = [
  () => process.nextTick(() => { throw new Error('tick'); }),
  () => setTimeout(() => { throw new Error('timer'); }, 1),
  () => setTimeout(() => setImmediate(() => { throw new Error('immediate'); }), 1),
  () => require('node:fs').stat('/', () => { throw new Error('file'); }),
  () => setTimeout(() => inner.run(() => Promise.resolve().then(() => { log('then', process.domain === inner); step(); })), 1),
  () => setTimeout(() => inner.run(() => { throw new Error('nested'); }), 1),
];
const step = () => {
  const next = steps.shift();
  if (next) outer.run(next);
  else setImmediate(last);
};
outer.on('error', () => setImmediate(step));
step();
const last = () => {
  process.once('uncaughtException', (error) => log('nobody', error, process.domain));
  domain.create().run(() => setTimeout(() => { throw new Error('no listener'); }, 1));
};
