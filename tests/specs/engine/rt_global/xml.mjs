// RT.XML, and imported XML files.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { RT, later, outcome, show } from './table.mjs';

const TEXTS = [
  '<a/>', '<a></a>', '<a>x</a>', '<a b="c"/>', '<a b="c">x</a>', '<a><b/></a>', '<a><b>1</b><b>2</b></a>', '<a>x<b>y</b>z</a>', '<a> x </a>', '<a> <b/> </a>', '<a><b/>t<b/></a>', '<a>&lt;&#65;&#x42;&quot;&apos;</a>', '<a>&bogus;</a>', '', '   ', 'text',
  '<a>', '<a></b>', '<a b></a>', '<a b=c></a>', '<a/><b/>', '<a b="1" b="2"/>', '<a>\n  <b>x\n y</b>\n</a>', '<a><![CDATA[x<>]]>y</a>', '<a><!-- c -->x<!-- d -->y</a>', '<a><?p q?>x</a>', '<a x:y="1" xmlns:x="u"/>', '<x:a xmlns:x="u">1</x:a>',
  '<a><__proto__>x</__proto__><constructor>y</constructor></a>', '<a $="1"/>', '<a><b c="1">x</b><b>y</b><d/><b/></a>', '<!DOCTYPE a [<!ENTITY e "v">]><a>&e;</a>', '<?xml version="1.0"?>\n<a/>\ntail', '<A>é你</A>', '\ufeff<a/>', '<a b="x\ny\tz&#10;"/>', '<a>x\r\ny</a>',
  '<a b="<"/>', '<a>]]></a>', '<a b = "1" />', '<1/>', '<a><b></a></b>', '<!-- -- --><a/>', '<a>\0</a>', '<a>&#0;</a>', '<a>& b</a>', '<a>\n t\n <b/>\n u </a>', '<a b="1"> </a>', '<a b="1"></a>', '<a>&#32;</a>', '<!DOCTYPE a SYSTEM "x.dtd"><a/>',
  '<!DOCTYPE a [<!ELEMENT a (#PCDATA)><!ATTLIST a k CDATA "d">]><a/>', '<!DOCTYPE a [<!ENTITY e "<b>x</b>">]><a>&e;</a>', '<!DOCTYPE a [<!ENTITY e SYSTEM "/etc/passwd">]><a>&e;</a>', '<!DOCTYPE a [<!ENTITY e "v"><!ENTITY f "&e;&e;">]><a b="&f;">&f;</a>', '<?xml version="1.0" encoding="latin1"?><a>é</a>', '<x:a/>', '<a xmlns="u"/>',
];
// The output has each key as an own property, whatever its name.
const rows = TEXTS.map((text) => [`xml ${text}`, outcome(() => JSON.stringify(RT.XML.parse(text)))]);
for (const input of [undefined, null, 5, {}, new TextEncoder().encode('<a>é</a>')]) rows.push([`of ${Object.prototype.toString.call(input)}`, outcome(() => JSON.stringify(RT.XML.parse(input)))]);
const circle = {};
circle.a = circle;
const VALUES = [
  null, undefined, 5, 'x', [1], {}, { a: null }, { a: '' }, { a: 'x' }, { a: { b: 1 } }, { a: { '@b': 1, '#text': 'x' } }, { a: [1, 2] }, { a: { b: [1, 2] } }, { a: { b: true, c: null, d: undefined } }, { a: 1, b: 2 }, { a: '<&>"\'' }, { a: { '@b': '<&>"\'\n\t\r' } },
  { 'a b': 1 }, { a: { b: { c: [{ d: 1 }, { e: [] }] } } }, { a: new Date(0) }, { a: 10n }, { a: () => 1 }, { a: Symbol('x') }, { a: NaN }, { a: { '#text': 'x', '@b': null, '@c': undefined, '@d': true } }, { a: { b: 'x', '#text': 't' } }, { a: { '#text': ['x'] } }, { a: { '@b': {} } }, { a: { b: {} } },
  { '@a': 1 }, { '#text': 'x' }, { a: { '#c': 1 } }, { name: 'a', attributes: { x: 1 }, children: ['t', { name: 'b' }] }, { name: 'a' }, { name: 'a', children: [{ name: 'b', children: ['x'] }, { name: 'c' }] }, { name: 'a', attributes: {} }, { a: 'x\u0001' }, { a: '\ud800' }, { a: 'é\n\t\r' },
  { a: { b: [[1]] } }, { a: { b: [null, undefined, ''] } }, { a: new Map([[1, 2]]) }, { a: ']]>' }, { a: { '': 1 } }, { a: { '@ x': 1 } }, { name: 'a', children: [1, null, undefined, true, new Date(0)] }, { name: 'a', children: [[1]] }, { name: 'a', children: [{ b: 1 }] }, { name: 'a', children: 'x' },
  { name: 'a', attributes: 5 }, { name: 'a', children: [{ comment: ' c ' }, { target: 'pi', data: 'x' }, { name: 'd' }] }, { name: 'a', children: [{ comment: 'x-' }] }, { a: { '#text': '', b: 1 } }, { 'a:b': 1 }, { '-a': 1 }, circle,
];
for (const [place, value] of VALUES.entries()) {
  for (const space of [undefined, 2, '--']) rows.push([`to xml ${place} ${space}`, outcome(() => RT.XML.stringify(value, null, space))]);
}
for (const space of [0, -1, 20, '', '            x', true, 1.7]) rows.push([`space ${space}`, outcome(() => RT.XML.stringify({ a: { b: { c: 1 } } }, undefined, space))]);
rows.push(['replacer', outcome(() => RT.XML.stringify({ a: 1 }, []))]);
const folder = mkdtempSync(`${tmpdir()}/xml-`);
for (const name of ['d.xml', 'e.xml']) writeFileSync(`${folder}/${name}`, '<?xml version="1.0"?>\n<root a="1"><n>5</n><n>6</n></root>\n');
rows.push(['import', await later(async () => ({ ...(await import(`${folder}/d.xml`)) }))], ['require', outcome(() => createRequire(import.meta.url)(`${folder}/e.xml`))]);
rows.push(['as text', await later(async () => (await import(`${folder}/d.xml`, { with: { type: 'text' } })).default)]);
show(rows);
