// Forms as bodies, parsed in all the variants that browsers and libraries write; slices of blobs; MIME types of data:
// URLs; fetch objects that cannot be cloned.
import { format } from 'node:util';

const print = (...args) => process.stdout.write(`${format(...args)}\n`);
const attempt = async (name, work) => {
  try {
    print(name, await work());
  } catch (error) {
    print(name, error.name, error.cause === undefined ? '' : error.cause.message);
  }
};
const shown = (form) => [...form].map(([name, value]) => [name, typeof value === 'string' ? value : [value.name, value.type, value.size]]);
const part = (fields, body) => `--X\r\n${fields}\r\n\r\n${body}\r\n`;
const named = (text) => `Content-Disposition: form-data; ${text}`;
const bodies = {
  'a text': part(named('name="a"'), '1'),
  'no value': part(named('name="a"'), ''),
  'an empty name': part(named('name=""'), '1'),
  'a word as name': part(named('name=a'), '1'),
  'a mark': part(named('name="a"'), '\ufeff1'),
  'a file': part(`${named('name="a"; filename="b.txt"')}\r\nContent-Type: a/b`, '1'),
  'a file without type': part(named('name="a"; filename="b.txt"'), '1'),
  'a file without name': part(named('name="a"; filename=""'), '1'),
  'an extended file name': part(named("name=\"a\"; filename*=UTF-8''%e2%82%ac.txt"), '1'),
  'both file names': part(named("name=\"a\"; filename=\"x\"; filename*=UTF-8''%e2%82%ac.txt"), '1'),
  'another character set': part(named("name=\"a\"; filename*=iso-8859-1''%e9.txt"), '1'),
  'an extended name': part(named("name*=UTF-8''%e2%82%ac"), '1'),
  'base64': part(`${named('name="a"')}\r\nContent-Transfer-Encoding: base64`, 'YWJj'),
  'base64 in a file': part(`${named('name="a"; filename="b"')}\r\nContent-Transfer-Encoding: base64`, 'YWJj'),
  'what is escaped': part(named('name="a%22b%0D%0Ac%25"'), '1'),
  'UTF-8': part(named('name="é€"; filename="ü.txt"'), 'ö'),
  'large letters': part('CONTENT-DISPOSITION: FORM-DATA; NAME="a"', '1'),
  'another order': part(named('filename="x"; name="a"'), '1'),
  'other fields': part(`X-Y: z\r\n${named('name="a"')}\r\nX-Q: 1`, '1'),
  'lines': part(named('name="a"'), 'l1\r\nl2\nl3'),
  'two': part(named('name="a"'), '1') + part(named('name="a"'), '2'),
  'none': '',
};
const read = async (body, type) => shown(await new Response(body, { headers: { 'Content-Type': type } }).formData());
for (const [name, body] of Object.entries(bodies)) await attempt(name, () => read(`${body}--X--\r\n`, 'multipart/form-data; boundary=X'));
for (const body of ['', '--X', part(named('name="a"'), '1'), part('Content-Disposition: attachment; name="a"', '1') + '--X--'])
  await attempt(JSON.stringify(body), () => read(body, 'multipart/form-data; boundary=X'));
for (const text of ['a=1&b=2', 'a', '=', 'a=%zz', 'a=%e9', 'a=+b', '\ufeffa=1']) await attempt(text, () => read(text, 'application/x-www-form-urlencoded'));

const file = new File(['x'], 'n');
const form = new FormData();
for (const name of ['given', undefined, null, '']) {
  form.append('blob', new Blob(['x']), name);
  form.append('file', file, name);
}
print(shown(form), form.getAll('file')[1] === file);

for (const range of ['bytes=1-2', 'bytes=-2', 'bytes=2-', 'bytes=0-99', 'bytes=5-', 'bytes=-', 'bytes=1-2,3-4', 'x'])
  await attempt(`range ${range}`, async () => {
    const url = URL.createObjectURL(new Blob(['hello'], { type: 'a/b' }));
    const response = await fetch(url, { headers: { range } });
    return [response.status, response.statusText, [...response.headers], await response.text()];
  });
for (const place of [1.2, 1.5, 2.5, 1.7, -1.5, '1', NaN]) print('slice', place, await new Blob(['abcdef']).slice(place).text());
for (const url of ['data:,a#b', 'data:TEXT/Plain;CHARSET=x,y', 'data:text/plain;base64;x=y,YQ==', 'data:a/b;x="y,z",w', 'data:a,b', 'data:;charset=x,y', 'data:image/svg+xml;utf8,%3Csvg/%3E'])
  await attempt(url, async () => {
    const response = await fetch(url);
    return [response.headers.get('content-type'), response.url, await response.text()];
  });
print((await (await fetch('data:,a', { method: 'HEAD' })).text()).length);
for (const value of [new Headers(), new Request('http://a/'), new Response(), new FormData()])
  try {
    print(structuredClone({ value }));
  } catch (error) {
    print(error.name, error.code);
  }
const given = new ArrayBuffer(2);
structuredClone(given, { transfer: [given] });
print(await new Response(given).text(), [...new Headers(Object.assign(() => {}, { a: '1' }))][0]);
