// RT.markdown: HTML, a program's own callbacks, React elements; and imported Markdown files.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { RT, later, outcome, show } from './table.mjs';

const PAGES = [
  '', '# Title *em*\n\nPara with **bold**, `code`, ~~del~~, [link](http://a.b "t") and <b>html</b>.\nSecond  \nthird\\\nfourth', '## Sub\n\n- a\n- b\n  - nested\n- [ ] todo\n- [x] done\n\n1. one\n2. two\n\n3) other', '> quote\n> > more\n\n> - a\n>   - b',
  '| A | B |\n|:--|--:|\n| 1 | 2 |', '|a|b|\n|-|:-:|\n|1|\n|2|3|4|\n\nx', '|a|\n|-|', '```js {1}\na<b>"\n```\n~~~\nx', '    indented\n\n---\n\nSetext\n======\n\nb\n-', '![img *a* `b`](i.png "ti") ![z][r] ![](q)\n\n[r]: /u "t"', '<div>\n*raw*\n</div>\n\ntext', '<!-- c -->\n\n<a href="x">t</a>',
  '[a](</x y>) [b](/ü?a=b&c "q x") <http://a.b/ü> <me@x.y> [c](javascript:x) [d](a%20b)', 'a_b_ _c_ __d__ ***e*** **f *g* h**', '- [x] a\n- [X] b\n\n- [ ] c', '* a\n\n  b\n* c', '1) a\n2) b\n5. c', '&copy; &#65; &bogus; \\* \\a "x" &amp;', '~~a~~ ~b~ ~~~c H~2~O ~~d~ e', '> a\nb\n\n>c', 'a\r\nb\r\n\r\nc\td',
  'x\0y', '0. a', '- a\n- b\n\ntext\n\n+ c', '`` a`b `` ` c `', '- \n- a\n\n\n- b\n  ```\n  c\n  ```', '* [ ]\n* [ ] x\n\n[ ] y', '\ufeff# a', '1. a\n   - b\n\n3. c', '#a', '# ', '<script>a</script>\n\n<b> <title> <xmp>', 'a   b',
];
const OPTIONS = [
  ['(www.a.b) www.a.b, http://x.y/(a) http://x.y/?a=b&c. https://x *www.d.e* a.b-c+d@e.f. xwww.a.b `www.a.b` [www.a.b](x) ftp://a.b www.x', ['autolinks', true, { url: true }, { www: true }, { email: true }, false]],
  ['# A-b_c  d -- e.f\n# -x-\n# 1 `c d` [l](m)\n# \n# Ü\n# Ü\n## a\n## a', ['headings', true, { ids: true }, { autolink: true }]], ['[[a]] [[a b|*c*]] [[]]', ['wikiLinks', true]], ['#a\n##b c ##\nd', ['permissiveAtxHeaders', true]], ['    code', ['noIndentedCodeBlocks', true]],
  ['<div>\n\na<b>', ['noHtmlBlocks', true]], ['<div>\n\na<b>', ['noHtmlSpans', true]], ['<script>a</script>\n\n<b> <title> <xmp>', ['tagFilter', true]], ['~~a~~', ['strikethrough', false]], ['|a|\n|-|\n|1|', ['tables', false]], ['- [x] a', ['tasklists', false]],
];
const KINDS = 'heading paragraph blockquote code list listItem hr table thead tbody tr th td html strong emphasis link image codespan strikethrough'.split(' ');
const marked = (kind) => (children, ...meta) => `<${kind} ${JSON.stringify(meta)}>${children}</${kind}>`;
const ALL = Object.fromEntries(KINDS.map((kind) => [kind, marked(kind)]));
const CALLBACKS = [undefined, null, {}, 5, { heading: () => null }, { heading: () => undefined }, { heading: () => 5 }, { heading: 5 }, { heading: () => { throw new RangeError('x'); } }, { text: (text) => `[${text}]` }, { listItem: (text, meta) => JSON.stringify([text, meta]) }];
// Splitting of adjacent text is up to the parser.
const joined = (items) => items.reduce((all, item) => (typeof item === 'string' && typeof all.at(-1) === 'string' ? [...all.slice(0, -1), all.at(-1) + item] : [...all, item]), []);
const shown = (key, item) => (typeof item === 'symbol' ? String(item) : typeof item === 'function' ? '#function' : key === 'children' ? joined(item) : item);
const elements = (value) => JSON.stringify(value, shown);

const rows = ['html', 'render', 'react'].map((name) => [`length of ${name}`, RT.markdown[name].length]);
for (const text of PAGES) {
  rows.push([`html ${text}`, outcome(() => RT.markdown.html(text))], [`render ${text}`, outcome(() => RT.markdown.render(text, ALL))]);
  rows.push([`react ${text}`, outcome(() => elements(RT.markdown.react(text)))]);
}
for (const [text, [name, ...values]] of OPTIONS) {
  for (const value of values) rows.push([`${name} ${JSON.stringify(value)} ${text}`, outcome(() => RT.markdown.html(text, { [name]: value }))]);
}
for (const [place, callbacks] of CALLBACKS.entries()) rows.push([`callbacks ${place}`, outcome(() => RT.markdown.render('# a\n\nb **c** d\n\n1. e\n2. f\n   - g', callbacks))]);
for (const name of ['render', 'react']) rows.push([`${name} autolinks`, outcome(() => elements(RT.markdown[name]('www.x.y http://a.b c@d.e <f@g.h> <http://i.j/ü>', ALL, { autolinks: true })))]);
rows.push(['ids', outcome(() => RT.markdown.render('# a b', ALL, { headings: true }))], ['react ids', outcome(() => elements(RT.markdown.react('# a b', { h1() {} }, { headings: true })))]);
rows.push(['react 18', outcome(() => elements(RT.markdown.react('# a  \nb', undefined, { reactVersion: 18 })))]);
for (const input of [undefined, null, 5, {}, new TextEncoder().encode('# x'), new Uint8Array([0x23, 0x20, 0x79]).buffer]) {
  for (const name of ['html', 'render', 'react']) rows.push([`${name} of ${Object.prototype.toString.call(input)}`, outcome(() => elements(RT.markdown[name](input)))]);
}
const folder = mkdtempSync(`${tmpdir()}/markdown-`);
for (const name of ['x.md', 'x.markdown', 'x.txt']) writeFileSync(`${folder}/${name}`, '# Hello *you*\n');
const require = createRequire(import.meta.url);
for (const name of ['x.md', 'x.markdown']) {
  rows.push([`import ${name}`, await later(async () => (await import(`${folder}/${name}`)).default)], [`require ${name}`, outcome(() => ({ default: require(`${folder}/${name}`).default }))]);
}
for (const type of ['md', 'text']) rows.push([`type ${type}`, await later(async () => (await import(`${folder}/x.${type === 'md' ? 'txt' : 'md'}`, { with: { type } })).default)]);
show(rows);
