// Subclasses of Console: overridden methods are called by the program and by Console's own methods, even when detached.
const { Console } = require('node:console');
let out = '';
const stream = { write(text) { out += text; return true }, on() {}, once() {}, removeListener() {}, listenerCount() { return 0 } };
class Told extends Console {
  #reported = [];
  constructor() { super(stream, stream); }
  log(first, ...rest) { this.#reported.push(['log', first]); super.log(`log: ${first}`, ...rest); }
  warn(...args) { this.#reported.push(['warn', ...args]); super.log('warn:', ...args); }
  error(...args) { this.#reported.push(['error', ...args]); super.error('error:', String(args[0]).split('\n')[0]); }
  reported() { return this.#reported.length; }
}
const console1 = new Told();
console1.log('a %s', 1); console1.info('info'); console1.debug('debug'); console1.dirxml('x');
const { log, error, group, groupEnd, count, assert } = console1;
log('detached'); error(new Error('e').message); group('G'); log('in'); groupEnd(); count(); count(); assert(false, 'asserted'); assert(true);
console1.table([{ a: 1 }]); console1.table(5); console1.trace('traced'); console1.dir({ a: 1 }); console1.time('t'); console1.time('t');
console1.reported();
out += `${Object.keys(console1).sort()} ${log.name} ${console1 instanceof Console} ${Object.hasOwn(console1, 'reported')} ${typeof Console.prototype.profile}\n`;
Told.prototype.log.call(console1, 'through the prototype');
Console.prototype.log.call(console1, 'past the subclass');
class Quiet extends Console { log() {} }
new Quiet(stream).log('never'); new Quiet(stream).table([1]); new Quiet(stream).warn('said');
process.on('warning', () => {});
setImmediate(() => process.stdout.write(out));
