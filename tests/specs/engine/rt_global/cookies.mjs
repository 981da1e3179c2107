// Cookies and cookie maps, sinks, streams read to their end.
import { RT, outcome, show } from './table.mjs';

const rows = [];
const row = (label, ...work) => rows.push([label, work.map((each) => outcome(each))]);
const TEXTS = ['a=b', 'a=b; secure', 'a=b; Path=/x; HttpOnly; Secure; SameSite=Strict; Max-Age=5; Domain=x.com; Partitioned',
  'a=b; Expires=Wed, 21 Oct 2015 07:28:00 GMT'];
for (const text of TEXTS) row(text, () => new RT.Cookie(text).toString(), () => ({ ...RT.Cookie.parse(text).toJSON() }), () => RT.Cookie.parse(text).isExpired());
const OPTIONS = [{}, { domain: 'd.com', path: '/p' }, { expires: new Date(0) }, { expires: 1e9 }, { maxAge: 0 }, { maxAge: 9 }, { secure: true, sameSite: 'none' },
  { httpOnly: true, partitioned: true, sameSite: 'STRICT' }, { sameSite: 'x' }, { expires: 'x' }, { path: 'a;b' }];
for (const options of OPTIONS) row(JSON.stringify(options), () => new RT.Cookie('n', 'v w', options).toString(), () => RT.Cookie.from('n', 'v', options).isExpired());
row('wrong', () => new RT.Cookie(), () => new RT.Cookie('a b', 'c'), () => new RT.Cookie('', ''), () => new RT.CookieMap(5));
const map = new RT.CookieMap('a=1; b=%20x; c="q"');
row('map', () => [...map], () => map.size, () => map.get('z'), () => map.has('b'));
map.set('n', 'v');
map.set('o', 'p', { httpOnly: true, path: '/q' });
map.delete('a');
map.delete({ name: 'b', path: '/x', domain: 'd.com' });
map.set({ name: 'w', value: '1' });
row('changed', () => map.toSetCookieHeaders(), () => [...map.keys()], () => [...map.values()], () => map.toJSON(), () => map.get('a'));
row('made', () => new RT.CookieMap({ a: '1' }).toJSON(), () => new RT.CookieMap([['x', 'y']]).get('x'), () => new RT.CookieMap().size);
const sink = new RT.ArrayBufferSink();
sink.start({ asUint8Array: true, stream: true });
row('sink', () => sink.write('hello'), () => sink.write(new Uint8Array([1])), () => sink.flush(), () => sink.write('x'), () => sink.end());
const whole = new RT.ArrayBufferSink();
row('whole', () => whole.write('ab'), () => whole.flush(), () => whole.end());
const stream = (...chunks) => new ReadableStream({
  start(controller) {
    for (const chunk of chunks) controller.enqueue(chunk);
    controller.close();
  },
});
for (const name of ['Array', 'Bytes', 'JSON', 'Text']) {
  const read = RT[`readableStreamTo${name}`];
  const result = await read(stream('[1', ',2]'));
  row(name, () => result, () => read.length, () => read(5));
}
show(rows);
