// URLPattern: constructors, components, matches, inspection and invalid patterns.
const { inspect } = require('node:util');
const said = (run) => {
  try {
    console.log(inspect(run(), { depth: 5 }));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const names = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash', 'hasRegExpGroups'];
const all = (pattern) => names.map((name) => `${pattern[name]}`).join(' | ');
said(() => new URLPattern('https://example.com/:id'));
said(() => new URLPattern({ pathname: '/books/:id(\\d+)' }).exec('https://a.b/books/12'));
said(() => new URLPattern({ pathname: '/books/:id(\\d+)' }).exec('https://a.b/x'));
said(() => new URLPattern({ pathname: '/books/:id?' }).exec({ pathname: '/books' }));
for (const args of [[], [1], [null], ['/a'], ['/a', 'https://x.y:8080/z?q#h'], ['/a', 'nope'], [{ pathname: '/a' }, 'https://x.y'], ['/a', 1], ['/a', 'https://x.y', 1],
  ['https://x.y/('], [{ pathname: '/:a/:a' }], [{ pathname: '/(\u00e9)' }], [{ port: '80', protocol: 'http' }], [{ port: '80abc' }], [{ port: 'abc' }],
  [{ hostname: 'a:b' }], [{ hostname: 'a/b' }], [{ hostname: '[::1]' }], [{ hostname: '[\\:\\:AB:*]' }], [{ hostname: '\u00e4.com' }], [{ protocol: 'caf\u00e9' }],
  [{ protocol: 'data', pathname: 'a b' }], [{ pathname: 'a b' }], [{ pathname: '/a/../b' }], [{ pathname: '/foo/:a*/*.html' }],
  [{ pathname: '{/foo}?/(.*)/*' }], [{ pathname: '{/foo}?/(a|b)/*' }], [{ pathname: '/foo/(.*)/([^\\/]+?)/:x([^\\/]+?)y' }]]) {
  said(() => all(new URLPattern(...args)));
}
said(() => new URLPattern({ pathname: '/a' }, { ignoreCase: true }).test({ pathname: '/A' }));
said(() => new URLPattern({ pathname: '/a' }).test({ pathname: '/A' }));
said(() => new URLPattern({}).test(1));
said(() => new URLPattern({}).test());
said(() => new URLPattern({}).test('x', 'y'));
said(() => new URLPattern({}).test({}, 'https://y'));
said(() => new URLPattern({}).exec({ baseURL: 'https://a.b/c' }));
said(() => URLPattern.prototype.test.call({}, 'x'));
said(() => Object.getOwnPropertyDescriptor(URLPattern.prototype, 'pathname').get.call({}));
said(() => String(new URLPattern({})));
said(() => require('node:url').URLPattern === URLPattern);
