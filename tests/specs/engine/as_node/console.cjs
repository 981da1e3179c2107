// What console prints, and its members.
class Point {
  constructor() {
    this.x = 1;
  }
  get y() {
    return 2;
  }
}
const { log } = console;
log({ a: 1, b: [1, 2] }, 'text', new Map([[1, { two: 2 }]]), [undefined, null], Symbol('s'), () => 1, class B extends Point {});
console.info('%s is %d', 'x', 4, { a: { b: { c: { d: 1 } } } });
console.debug(new Point(), [, 'a\n'], new Set(['x']), Object.create(null), { [Symbol('k')]: -0 });
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.table([{ a: 1, b: 2 }, { a: 3 }]);
console.group('group %s', 1);
console.log('inside\nof it');
console.groupCollapsed('collapsed');
console.log('deep');
console.groupEnd();
console.groupEnd();
console.count();
console.count('x');
console.countReset('x');
console.count('x');
console.dirxml({ a: 1 }, 2);
const error = new TypeError('message', { cause: new Error('cause') });
error.code = 'E_CODE';
error.stack = error.stack.split('\n')[0];
error.cause.stack = error.cause.stack.split('\n')[0];
console.log(error, [error]);
console.assert(true, 'not printed');
console.log(Object.keys(console).filter((name) => !name.startsWith('_')).sort().join(), log.name, log.length);
console.log(console._stdout === process.stdout, Object.keys(console).length > 20, console instanceof console.Console);

// A program that replaces `write` receives what is printed; errors, warnings and traces go to stderr.
const written = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr']) {
  const { write } = process[name];
  process[name].write = (text) => {
    written[name] += text;
    return true;
  };
  written[`${name}.write`] = write;
}
console.log('captured');
console.error('error %o', 1);
console.warn('warn', { a: 1 });
console.assert(false, 'assertion %s', 'text');
console.trace('trace');
for (const name of ['stdout', 'stderr']) process[name].write = written[`${name}.write`];
console.log(written.stdout, written.stderr.replace(/^ {4}at .*\n/gm, ''));
