'use strict';
// node:util besides inspect: parseArgs, styleText, MIME types, promisify and the rest, as a log.

const RU = require('node:util');

const walk = (u) => {
  const out = [];
  const console = { log: (...args) => out.push(RU.format(...args)) };
  const t = (f) => {
    try {
      const r = f();
      console.log(typeof r === 'string' ? JSON.stringify(r) : u.inspect(r, { depth: 4 }));
    } catch (e) {
      console.log('E', e.name, e.code, e.message);
    }
  };
  t(() => u.styleText('red', 'x', { validateStream: false }));
  t(() => u.styleText(['red', 'bold'], 'x', { validateStream: false }));
  t(() => u.styleText('nope', 'x'));
  t(() => u.styleText('red', 5));
  t(() => u.styleText('red', 'a\x1b[39mb', { validateStream: false }));
  t(() => u.styleText('#ff0000', 'x', { validateStream: false }));
  t(() => u.styleText('none', 'x', { validateStream: false }));
  t(() =>
    u.parseArgs({
      args: ['-f', '--bar', 'b', 'pos', '--no-color', '-abc', '--x=1', '--', 'z'],
      options: {
        foo: { type: 'boolean', short: 'f' },
        bar: { type: 'string' },
        color: { type: 'boolean' },
        a: { type: 'boolean', short: 'a' },
        b: { type: 'boolean', short: 'b' },
        c: { type: 'string', short: 'c' },
        x: { type: 'string', multiple: true, default: ['q'] },
      },
      allowPositionals: true,
      allowNegative: true,
      tokens: true,
      strict: false,
    }),
  );
  t(() => u.parseArgs({ args: ['--zz'] }));
  t(() => u.parseArgs({ args: ['x'] }));
  t(() => u.parseArgs({ args: ['--foo'], options: { foo: { type: 'string' } } }));
  t(() => u.parseArgs({ args: ['--foo=1'], options: { foo: { type: 'boolean' } } }));
  t(() => u.parseArgs({ args: ['-f', '-v'], options: { f: { type: 'string', short: 'f' } } }));
  t(() => u.parseArgs({ options: { f: { type: 'x' } } }));
  t(() => u.parseArgs({ args: ['-z'], allowPositionals: true, options: {} }));
  t(() => u.parseArgs({ args: ['--no-foo'], options: { foo: { type: 'boolean' } } }));
  t(() => u.getSystemErrorName(-2));
  t(() => u.getSystemErrorMessage(-2));
  t(() => u.getSystemErrorName(-9999));
  t(() => u.getSystemErrorName(1));
  t(() => u.getSystemErrorMap().size);
  t(() => u.toUSVString('a\ud800'));
  t(() => u.stripVTControlCharacters('\x1b[1mx\x1b]8;;http://a\x07l\x1b]8;;\x07'));
  t(() => String(new u.MIMEType('text/plain;a="x y";b=c')));
  t(() => new u.MIMEType('bad'));
  t(() => new u.MIMEType('a/b;c').params.size);
  t(() => u.inherits(5));
  t(() => u.promisify(5));
  t(
    () =>
      u.promisify(function f(cb) {
        cb(null, 1);
      }).name,
  );
  t(() => u.callbackify(5));
  t(() => u.deprecate(5));
  t(() => u.deprecate(function q() {}, 'm', 'DEP').name);
  t(() => u.debuglog('x').enabled);
  t(() => u.diff('a\nb', 'a\nc'));
  t(() => u.diff(['a'], ['b']));
  t(() => u.isArray([]));
  t(() => u._extend({ a: 1 }, { b: 2 }));
  t(() => u.format.name + u.inspect.length + u.format.length);
  t(() => u.convertProcessSignalToExitCode('SIGTERM'));
  t(() => u.types.isBoxedPrimitive(Object(1n)));
  t(() => u.inspect(u.promisify.custom));
  t(() => [...u.getSystemErrorMap()].map(([n, [a, b]]) => n + '|' + a + '|' + b).join('\n'));

  for (const a of [
    ['-abcfoo'],
    ['-fVAL'],
    ['--foo', '-x'],
    ['--foo=-x'],
    ['-ab', 'x', '--', '-y'],
    ['--no-bar', '--bar=false'],
    ['-'],
    ['--=x'],
    ['--foo='],
    ['-c=5'],
  ])
    for (const strict of [true, false])
      t(() =>
        u.parseArgs({
          args: a,
          strict,
          allowPositionals: true,
          options: {
            foo: { type: 'string', short: 'f' },
            a: { type: 'boolean', short: 'a' },
            b: { type: 'boolean', short: 'b' },
            c: { type: 'string', short: 'c' },
            bar: { type: 'boolean', default: true },
          },
          tokens: true,
        }),
      );
  for (const s of [
    'text/html;charset="utf-8"',
    'a/b;x="a\\\"b";y',
    '  A/B ;  C=D',
    'a/b;c="x',
    'text/html; charset=',
    'a/b;;c=d;c=e',
    '/b',
    'a/',
    'a/b;é=1',
    'a/b;c=é',
  ])
    t(() => String(new u.MIMEType(s)));
  t(() => {
    const m = new u.MIMEType('a/b;c=d');
    m.type = 'X';
    m.params.set('e', 'f g');
    return String(m) + [...m.params] + m.essence;
  });
  t(() => {
    new u.MIMEType('a/b').type = 'é';
  });
  t(() => u.styleText(['red', 'none'], 'x', { validateStream: false }));
  t(() => u.styleText('#abc', 'x', { validateStream: false }));
  t(() => u.styleText('red', 'x', { validateStream: 5 }));
  t(() => u.styleText([], 'x', { validateStream: false }));
  t(() => {
    const f = u.promisify((a, cb) => cb(null, a));
    f.x = 1;
    return u.inspect(f);
  });
  t(() => u.callbackify(async function q(a, b) {}).length + u.callbackify(async function q(a, b) {}).name);
  t(() => {
    class A {}
    return new (u.deprecate(A, 'm'))() instanceof A;
  });
  t(() =>
    u.inherits(
      function () {},
      function () {},
    ),
  );
  t(() => {
    function A() {}
    function B() {}
    u.inherits(A, B);
    return A.super_ === B && Object.keys(A).join();
  });
  t(() => u.promisify(Object.assign(() => {}, { [u.promisify.custom]: 5 })));
  t(() => u.diff('abc', 'abd'));
  t(() => u.diff(5, 'a'));
  t(() => Object.keys(u.types).sort().join());
  t(() => u.types.isUint8Array(new Uint8Array()) + ',' + u.types.isDate(new Date()) + u.types.isAsyncFunction(async () => {}));

  return out;
};

module.exports = ({ compare, ours }) => {
  const theirs = walk(RU);
  const own = walk(ours('node/util/util'));
  for (let i = 0; i < Math.max(theirs.length, own.length); i++)
    compare(
      `step ${i}`,
      () => theirs[i],
      () => own[i],
    );
};
