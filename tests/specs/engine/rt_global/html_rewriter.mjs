// HTMLRewriter: selectors, the interface of handlers, strings, bytes and responses, promises, errors.
import { show } from './table.mjs';

const rows = [];
async function row(label, work) {
  try {
    rows.push([label, (await work()) ?? null]);
  } catch (error) {
    rows.push([label, `${error?.name}: ${error?.message}`]);
  }
}
const on = (selector, handlers, html) => new HTMLRewriter().on(selector, handlers).transform(html);
const element = (work, html = '<p>x</p>', selector = 'p') => on(selector, { element: work }, html);

for (const selector of ['*', 'p', 'p.a', 'p#i', '[b]', '[b="1"]', '[b="X" i]', '[b~="2"]', '[b^="1"]', '[b$="2"]', '[b*=" "]', '[b|="1"]', 'div p', 'div > p',
  'p:first-child', 'p:nth-child(2)', 'p:nth-of-type(2)', 'p:first-of-type', 'p:not(.a)', 'p, b', '*|*', '', 'p >', 'a + b', 'a ~ b', 'p:hover', 'p::before', 'p..x', '[', 'svg|p', ':is(a)'])
  await row(selector, () => element((e) => { e.setAttribute('found', ''); }, '<div><p class=a b="1 2">1</p><i><p id=i b=x>2</p></i></div><b>3</b>', selector));

const CONTENTS = [['<i>'], ['<i>', { html: true }], [5], [{ toString: () => '&' }], [], [null]];
for (const name of ['before', 'after', 'prepend', 'append', 'replace', 'setInnerContent'])
  for (const content of CONTENTS) await row(`${name} ${JSON.stringify(content)}`, () => element((e) => { if (e[name](...content) !== e) throw new Error('not chained'); }));
await row('attributes', () => { const list = []; element((e) => { list.push([...e.attributes], e.getAttribute('A'), e.getAttribute('none'), e.hasAttribute('b'), e.hasAttribute('none')); }, '<p a=1 B="2&amp;3" c>'); return list; });
await row('changed attributes', () => element((e) => { e.setAttribute('a', 'x"y').setAttribute('new', 7).removeAttribute('b'); }, '<p a=1 b=2>'));
for (const name of ['a b', '', 'a=', '<']) await row(`attribute ${name}`, () => element((e) => { e.setAttribute(name, '1'); }));
for (const name of ['div', 'a b', '', 5]) await row(`tag name ${name}`, () => element((e) => { e.tagName = name; }));
await row('facts', () => { const list = []; element((e) => { list.push([e.tagName, e.namespaceURI, e.selfClosing, e.canHaveContent, e.removed]); }, '<p></p><br><svg><circle/></svg><x-y />', '*'); return list; });
await row('removed', () => { const list = []; const html = element((e) => { e.remove(); list.push(e.removed); }, 'a<p>b<b>c</b></p>d'); return [html, list]; });
await row('unwrapped', () => element((e) => { e.removeAndKeepContent(); }, 'a<p>b<b>c</b></p>d'));
await row('end tag', () => element((e) => { e.onEndTag((tag) => { tag.before('1').after('<2>', { html: true }); tag.name = `${tag.name}x`; }); }));
await row('end tag removed', () => element((e) => { e.onEndTag((tag) => { tag.remove(); }); }));
await row('two for an end tag', () => element((e) => { e.onEndTag((tag) => { tag.before('1'); }); e.onEndTag((tag) => { tag.before('2'); }); }));
await row('no end tag', () => element((e) => { e.onEndTag(() => {}); }, '<br>', 'br'));
await row('no function', () => element((e) => { e.onEndTag(1); }));
await row('texts', () => { const list = []; const html = on('p', { text(t) { list.push([t.text, t.lastInTextNode, t.removed]); if (t.text === 'b') t.before('1').after('2'); else if (t.text) t.replace('<u>', { html: true }); } }, '<p>a&amp;<i>b</i></p>'); return [html, list]; });
await row('texts removed', () => on('p', { text(t) { t.remove(); } }, '<p>a<i>b</i></p>c'));
await row('comments', () => on('p', { comments(c) { c.text = `${c.text}!`; c.before('1').after('2'); } }, '<p><!--a--></p><!--b-->'));
await row('comments removed', () => new HTMLRewriter().onDocument({ comments(c) { if (c.text === 'a') c.remove(); else c.replace('x'); } }).transform('<p><!--a--></p><!--b-->'));
await row('doctype', () => { const list = []; const html = new HTMLRewriter().onDocument({ doctype(d) { list.push([d.name, d.publicId, d.systemId]); d.remove(); } }).transform('<!DOCTYPE html PUBLIC "a" "b">x'); return [html, list]; });
await row('end', () => new HTMLRewriter().onDocument({ end(e) { e.append('<a>').append('<b>', { html: true }); } }).transform(''));
await row('order', () => { const list = []; new HTMLRewriter().on('p', { element() { list.push('p'); }, text(t) { list.push(`p ${t.text}`); } }).on('*', { element() { list.push('*'); } })
  .onDocument({ text(t) { list.push(`all ${t.text}`); }, end() { list.push('end'); } }).transform('<p>x</p>y'); return list; });
await row('this', () => { const list = []; const handlers = { element() { list.push(this === handlers); } }; on('p', handlers, '<p>'); return list; });
await row('later', () => { let kept; element((e) => { kept = e; }); return [kept.getAttribute('a'), kept.hasAttribute('a'), kept.tagName === undefined, kept.before('x') === undefined]; });
await row('added later', () => { const rewriter = new HTMLRewriter(); rewriter.on('p', { element() { rewriter.on('b', { element(e) { e.remove(); } }); } }); return [rewriter.transform('<p><b>1'), rewriter.transform('<p><b>1')]; });
await row('inside', () => element((e) => { e.before(element((b) => { b.setAttribute('in', ''); }, '<b>', 'b'), { html: true }); }));
await row('surrogates', () => element((e) => { e.setAttribute('a', '\ud800'); e.before('\udc00'); }, '<p>\ud800'));
for (const [name, ...given] of [['nothing'], ['a selector', 'p'], ['null', 'p', null], ['no function', 'p', { element: 1 }], ['null as one', 'p', { text: null }], ['undefined as one', 'p', { text: undefined }], ['a number', 1, {}]])
  await row(`on ${name}`, () => new HTMLRewriter().on(...given) instanceof HTMLRewriter);
for (const [name, ...given] of [['nothing'], ['null', null], ['no function', { end: 1 }], ['empty', {}]]) await row(`onDocument ${name}`, () => new HTMLRewriter().onDocument(...given) instanceof HTMLRewriter);
const mark = { element(e) { e.setAttribute('x', ''); } };
const bytes = new TextEncoder().encode('<p>é');
for (const [name, given] of Object.entries({ text: '<p>', object: new String('<p>'), bytes, buffer: bytes.buffer, view: new DataView(bytes.buffer), empty: '', null: null, number: 1, none: undefined, blob: new Blob(['<p>']), symbol: Symbol('x') }))
  await row(`transform ${name}`, () => { const made = on('p', mark, given); return made instanceof ArrayBuffer ? ['bytes', new TextDecoder().decode(made)] : made; });

const chunks = (...list) => new Response(new ReadableStream({ async pull(controller) { await new Promise(setImmediate); list.length > 0 ? controller.enqueue(list.shift()) : controller.close(); } }));
const utf8 = new TextEncoder().encode('<p>é</p>');
const slow = (work) => async (...given) => { await new Promise((resolve) => setTimeout(resolve, 1)); return work(...given); };
await row('response', async () => { const source = new Response('<p>', { status: 201, statusText: 'Yes', headers: { 'x-a': 'b', 'content-type': 'text/html' } }); const made = on('p', mark, source);
  return [made.status, made.statusText, made.headers.get('x-a'), made.headers.get('content-type'), source.bodyUsed, await made.text()]; });
await row('used response', async () => { const source = new Response('<p>'); await source.text(); return on('p', mark, source); });
await row('response without body', () => new HTMLRewriter().onDocument({ end(e) { e.append('x'); } }).transform(new Response()).text());
await row('stream', () => on('p', mark, chunks(utf8.subarray(0, 2), utf8.subarray(2, 4), utf8.subarray(4))).text());
await row('body', async () => { let text = ''; for await (const part of on('p', mark, chunks(utf8)).body) text += new TextDecoder().decode(part); return text; });
await row('clone', async () => { const made = on('p', mark, chunks(utf8)); const copy = made.clone(); return [await made.text(), await copy.text()]; });
await row('a source that fails', () => on('p', mark, new Response(new ReadableStream({ pull(controller) { controller.error(new Error('broken')); } }))).text());
await row('promises', () => on('p', { element: slow((e) => { e.setAttribute('late', '1'); e.onEndTag(slow((tag) => { tag.before('!'); })); }), text: slow((t) => { t.after('.'); }) }, new Response('<p>a</p><p>b</p>')).text());
await row('promises and a stream', () => on('p', { element: slow((e) => { e.prepend('1'); }) }, chunks(utf8, utf8)).text());
await row('promises and a text', () => on('p', { element: slow(() => {}) }, '<p>'));
await row('promises and bytes', () => on('p', { element: slow(() => {}) }, bytes));
await row('a settled promise', () => on('p', { async element(e) { e.setAttribute('x', ''); } }, '<p>'));
for (const html of ['<p>', bytes]) await row('thrown', () => element(() => { throw new RangeError('mine'); }, html));
await row('thrown in a response', () => element(() => { throw new RangeError('mine'); }, new Response('<p>')).text());
await row('thrown in a stream', () => element(() => { throw new RangeError('mine'); }, chunks(utf8)).text());
await row('rejected', () => element(slow(() => { throw new RangeError('mine'); }), new Response('<p>')).text());
await row('rejected at once', () => element(() => Promise.reject(new RangeError('mine')), '<p>'));
await row('thrown at an end tag', () => element((e) => { e.onEndTag(() => { throw new RangeError('mine'); }); }, '<p></p>'));
await row('many', async () => { const html = '<p>a</p>'.repeat(3000); let count = 0; const text = await element(() => { count++; }, new Response(html)).text(); return [count, text === html]; });
show(rows);
