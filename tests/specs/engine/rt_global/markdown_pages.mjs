// RT.markdown.ansi: pages as plain text, and in colours as a terminal shows them: runs of characters of one style.
import { RT, outcome, show } from './table.mjs';

const LOREM = 'very long text '.repeat(12);
const PAGES = [
  '# Head *x*', '# Head `c` [l](u) ~~s~~', '## H2', '### H3', '#### H4', '##### H5', '###### H6', 'para **b** *i* `c` ~~s~~', '[l](http://x "t")', '![alt](img.png)', '![](img.png)', '<http://auto>', '***bi*** **a *b* c**', '- a\n- b\n  - c\n    - d\n', '9. x\n10. y', '3) x\n4) y', '- a\n\n- b\n\n  para',
  '- a\n  ```js\n  x\n  ```', '- > q', '> quote\n> more\n>\n> - l\n> - m', '> > nested', '> # h', '```js\nconst a=1; // c\nfunction f(){ return "s" + `t` }\n```', '```\nplain\nmore\n\nx\n```', '```python\ndef f(): pass\n```', '```ts\nlet x: number = 1\n```', '```json\n{"a": 1}\n```', '    indented\n    two', '---',
  '|a|b|\n|-|:-:|\n|1|22|', '|a|b|c|\n|:-|:-:|-:|\n|1|22|333|\n|long cell|x|**b**|', '- [x] done\n- [ ] no', 'line one\nline two  \nhard', 'html <b>x</b>', '<div>block</div>', '<div>\n\npara\n\n</div>', '&amp; &copy; \\*esc\\*', 'a\n\nb', '# a\n\nb\n\n## c\n\nd', 'a\n\n- x\n\nb', 'a\n\n---\n\nb', 'a\n\n> q\n\nb', 'a\n\n|h|\n|-|\n|c|\n\nb', '', '   ',
  'http://bare.x www.x.y a@b.c', 'a [ref] b\n\n[ref]: http://r', 'text `a  b` ``x`y``', '**bold [link](u) `code`**', '[**b**](u)', '[![i](p)](u)', '# A\n# B', '- a\n\n\n- b\n1. c', '日本語 テキスト', LOREM, `- ${LOREM}`, `> ${LOREM}`, `# ${LOREM}`, '1. a\n   - b\n     1. c', `|${'wide cell '.repeat(12)}|b|\n|-|-|\n|c|d|`, '- a\n- \n- c', '[[wiki]]', 'a\\\nb', '![alt **b**](u "t") x', `\`\`\`js\n${'x'.repeat(100)}\n\`\`\``, '- - a',
];
const SGR = /\x1b\[([\d;]*)m|\x1b\]8;;(.*?)\x1b\\/g;

/** Returns runs of one style: its codes, the link around it, and the text; spaces and line ends look the same in any colour. */
function seen(text) {
  const runs = [];
  let on = {};
  let link = '';
  const add = (part) => {
    if (part === '') return;
    const style = [...Object.values(on).sort(), link].filter(Boolean).join(' ');
    for (const piece of part.split(/(\s+)/).filter(Boolean)) {
      const named = /^\s/.test(piece) ? runs.at(-1)?.[0] ?? '' : style;
      if (runs.at(-1)?.[0] === named) runs.at(-1)[1] += piece;
      else runs.push([named, piece]);
    }
  };
  let place = 0;
  for (const { 0: whole, 1: codes, 2: address, index } of text.matchAll(SGR)) {
    add(text.slice(place, index));
    place = index + whole.length;
    if (address !== undefined) link = address;
    else if (codes === '0') on = {};
    else if (codes === '22') on = { ...on, weight: undefined, dim: undefined };
    else if (codes === '23') on = { ...on, italic: undefined };
    else if (codes === '24') on = { ...on, under: undefined };
    else if (codes === '29') on = { ...on, struck: undefined };
    else if (codes === '39') on = { ...on, color: undefined };
    else if (codes === '49') on = { ...on, back: undefined };
    else on = { ...on, [{ 1: 'weight', 2: 'dim', 3: 'italic', 4: 'under', 9: 'struck' }[codes] ?? (codes.startsWith('48') ? 'back' : 'color')]: codes };
  }
  add(text.slice(place));
  return runs;
}

const rows = [['length', RT.markdown.ansi.length]];
for (const page of PAGES) {
  rows.push([`plain ${page}`, outcome(() => RT.markdown.ansi(page, { colors: false }))], [`narrow ${page}`, outcome(() => RT.markdown.ansi(page, { colors: false, columns: 30 }))], [`endless ${page}`, outcome(() => RT.markdown.ansi(page, { colors: false, columns: 0 }))]);
  rows.push([`colours ${page}`, outcome(() => seen(RT.markdown.ansi(page, { light: false })))], [`links ${page}`, outcome(() => seen(RT.markdown.ansi(page, { hyperlinks: true, columns: 40, light: true })))]);
}
for (const theme of [null, undefined, 5, 'x', {}, { colors: 0 }, { columns: '20' }, { columns: 20.7 }, { columns: -1 }, { columns: NaN }]) rows.push([`theme ${JSON.stringify(theme)}`, outcome(() => seen(RT.markdown.ansi(`\`c\` ${LOREM}`, theme)))]);
for (const input of [undefined, null, 5, {}, new TextEncoder().encode('# x'), new Uint8Array([0x23, 0x20, 0x79]).buffer]) rows.push([`of ${Object.prototype.toString.call(input)}`, outcome(() => RT.markdown.ansi(input, { colors: false }))]);
show(rows);
