// console.Console on custom streams: every method, groups, options, invalid arguments.
let out = ''; let err = '';
const fake = (add) => ({ write(t) { add(t); return true; }, on() {}, once() {}, removeListener() {}, listenerCount() { return 0; }, isTTY: false });
const mk = (o = {}) => new console.Console({ stdout: fake((t) => { out += t; }), stderr: fake((t) => { err += t; }), ...o });
const c = mk();
c.log('%s is %d', 'a', 5, { b: 1 }); c.info([1, { a: { b: { c: {} } } }]); c.warn('w'); c.error(new Map([[1, 2]])); c.debug('d'); c.dir({ a: { b: { c: 1 } } }, { depth: 0 }); c.dirxml({ a: 1 }, [2]);
c.group('G'); c.log('in\nside'); c.group(); c.log({ a: 1 }); c.groupEnd(); c.groupEnd(); c.groupEnd(); c.log('out');
c.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); c.table([[1, 2], [3, 4]]); c.table(new Map([['k', 1]])); c.table(new Set([1])); c.table(5); c.table([{ a: 1, b: 2 }], ['b']); c.table({ x: { y: 1 }, z: 2 }); c.table([1, 'two', { three: 3 }]); c.table([]); c.table(null); c.table(new Map([[{ a: 1 }, { b: 2 }]]).entries()); c.table([{ '日本': 'x', é: '\u001b[31mr\u001b[0m' }]); c.table([undefined, null, Symbol('s'), () => 1]); c.table([{ a: { b: { c: 1 } } }]);
c.count(); c.count('x'); c.count(); c.countReset(); c.count(); c.countReset('nope'); c.assert(true, 'no'); c.assert(false, 'yes %s', 1); c.assert(false); c.assert(false, { a: 1 }); c.timeEnd('none'); c.timeLog('none2');
c.trace('tr %d', 1);
for (const m of ['log', 'info', 'debug', 'error', 'warn']) { c[m](); c[m]('%o %O %j %c %i %f %%', { a: () => {} }, { a: 1 }, { b: 2 }, 'css', '12.5', '1.5', 'extra'); }
const c2 = mk({ groupIndentation: 4, inspectOptions: { depth: 0, compact: false } }); c2.group('x'); c2.log({ a: { b: 1 } }); c2.groupEnd();
const c3 = mk({ colorMode: true }); c3.log({ a: 1, b: 'x' }, 's', 5); const c4 = mk({ ignoreErrors: false }); c4.log(1);
for (const bad of [() => new console.Console(), () => new console.Console({}), () => new console.Console({ stdout: 5 }), () => mk({ colorMode: 5 }), () => mk({ groupIndentation: -1 }), () => mk({ colorMode: 'auto', inspectOptions: { colors: true } }), () => c.table([1], 'x'), () => c.time(Symbol('x'))]) { try { bad(); out += 'no error\n'; } catch (e) { out += `${e.name} ${e.code} ${e.message}\n`; } }
c.time('t'); c.time('t');
const frames = /\n +at .*/g;
process.on('warning', ({ message }) => { err += `${message}\n`; });
setImmediate(() => process.stdout.write(`${out}=====\n${err.replace(frames, '')}`));
