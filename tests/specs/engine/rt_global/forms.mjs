// Extensions of FormData and URLSearchParams: `FormData.from`, `toJSON`, `length`. A Request of a Request copies its body.
import { outcome, show } from './table.mjs';

const rows = [];
const form = new FormData();
for (const [name, value] of [['a', '1'], ['b', '2'], ['a', '3'], ['0', 'z'], ['__proto__', 'p']]) form.append(name, value);
rows.push(['form', [JSON.stringify(form), form.length, Object.keys(form.toJSON())]]);
const entries = (...values) => outcome(() => [...FormData.from(...values)]);
const bytes = new TextEncoder().encode('q=1+2&%41=b');
for (const [label, value] of Object.entries({ text: 'a=1&b=2&a=3', bytes, buffer: bytes.buffer, blob: new Blob(['z=1']), search: new URLSearchParams('x=1'), number: 5, null: null, none: undefined, empty: '', object: {}, form }))
  rows.push([`from ${label}`, entries(value)]);
const parts = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
for (const [label, value] of Object.entries({ text: 'b', bytes: new TextEncoder().encode('b'), number: 5 })) rows.push([`boundary as ${label}`, entries(parts, value)]);
const search = new URLSearchParams('a=1&a=2&b');
rows.push(['search', [search.length, search.size, JSON.stringify(search)]]);
const streamed = () => new ReadableStream({ start(to) { to.enqueue(new TextEncoder().encode('streamed')); to.close(); } });
for (const [label, body] of [['text', () => 'text'], ['stream', streamed]]) {
  const first = new Request('http://a/', { method: 'POST', duplex: 'half', headers: { a: 'b' }, body: body() });
  const second = new Request(first);
  const third = new Request('http://b/', first);
  const fourth = new Request(first, { body: 'other' });
  const texts = [await second.text(), await third.text(), await fourth.text(), first.bodyUsed, await first.text(), first.bodyUsed];
  rows.push([`request of a request, ${label}`, [third.url, third.method, third.headers.get('a'), texts]]);
}
show(rows);
