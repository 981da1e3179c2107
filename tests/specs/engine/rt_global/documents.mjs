// RT.YAML, TOML, JSON5, JSONC, JSONL: parsing and writing.
import { RT, outcome, show } from './table.mjs';

const YAML = [
  'yes', 'on', 'True', 'TRUE', 'tRUE', 'null', 'NULL', '~', '', '0x1F', '0o17', '017', '0b11', '1_000', '1e3', '1.', '.5', '-.5', '+1', '-0', '.inf', '-.inf', '.Inf', '.nan', '1:30', '2020-01-01', '12345678901234567890', '0x', '1e',
  '"a\\nb"', "'it''s'", '!!str 1', '!foo 1', '!!binary aGk=', '@a', 'a: b: c', '- a', '? a', '>\n a\n b', '|\n a\n b\n', '|-\n x\n', '|+\n x\n\n', '[a, b', '{a: 1, b}', 'a: 1\na: 2', '*x', 'a: &x 1\nb: *x', '<<: {a: 1}\nb: 2',
  'a: &x {p: 1}\nb:\n  <<: [*x, {q: 2}]\n  p: 3', '1: a\ntrue: b\nnull: c', '[1]: x', '? [1, 2]\n: y', '%YAML 1.2\n---\na', '--- a\n...\n--- b', '# only', 'a #c', 'a: "x" # c', '- 1\n- 2\n-', '"\\x41\\u0042"', 'Infinity', '0.0', '1,000',
  'a: 1\nb: [1, two, ~, true]\nc: {d: 1}\ne:\n  - f: 1\n    g: 2\n  - - h\n    - i\n', 'on:\n  push:\n    branches: [main]\njobs:\n  build:\n    runs-on: ubuntu\n    steps:\n      - run: |\n          echo hi\n          echo there\n',
];
const VALUES = [
  null, true, 1, -0, NaN, Infinity, -Infinity, 1.5, 'a', '1', 'true', 'null', '~', '', 'yes', 'No', 'y', ' a', 'a ', 'a: b', 'a #b', '#x', '- a', '-', '-a', '?', 'a\nb', "it's", '"q"', '@a', '`a', '%a', '&a', '*a', '!a', '|', '>', '[a', '{a', 'a]',
  'a,b', '0x10', '1e3', '.inf', '1_0', '2020-01-01', 'é', '\0', '\t', 'a\tb', '<<', [], {}, [[]], [[1, 2], [3]], [{ a: 1, b: 2 }], { a: [] }, { a: {} }, { a: [1, { b: [2] }] }, { 'a b': 1, 1: 2, '': 3 }, undefined, { a: undefined }, { deep: { er: { x: [1] } } },
];
const TOML = [
  'a = 1', 'a=inf', 'a=nan', 'a=0x10', 'a.b.c=1', '[[x]]\na=1\n[[x]]\na=2', 'a=1\na=2', 'a="x\\u00e9"', "a='''\nx\n'''", '', 'a=1_000', '=1', 'a=[1,', 'a = [1, [2, "x"]]', '[t]\nx=1\n[t.u]\ny=true',
];
const TABLES = [
  {}, { a: 1 }, { a: 1.5, b: 1e21, c: -0, d: NaN, e: Infinity }, { a: 'x\n"\t\u0001é' }, { a: { b: { c: 1 } } }, { a: [], b: [1, 'x', true], c: [[1], [2]] }, { a: [{ b: 1 }, { c: { d: 2 } }] }, { a: [{ b: 1 }, 2] }, { a: undefined }, { a: [null] }, { a: null },
  { a: new Date(0) }, { 'a b': 1, '': 2, é: 3 }, { x: { a: 1, b: { c: 1 } }, y: 2 }, 1, [1], null, { t: {} }, { t: { u: {} } }, { a: 1e-7, b: 123456789012 },
];
const JSON5 = ['{a:1}', "'a'", '+1', '.5', '5.', '0xA', 'Infinity', '-Infinity', 'NaN', '[1,]', '[,]', '{a:1,,}', '// c\n1', '/*', '"a\\\nb"', '"\\x41"', '', ' ', '1 2', '-0', '{a: [1, {b: "c"}], /* x */ d: null,}'];
const JSONC = ['{"a":1}', '{"a":1,}', '[1,2,]', '// c\n1', '/* c */ {"a": /* d */ [1, // e\n 2]}', '{"a": "// no comment"}', '{"a": ",}"}', '{a:1}', '', '{', '[1,,2]', '/*', '{"a":1 /* x */ , /* y */ }', '{"a":+1}', '{"a":NaN}', '{"a":Infinity}', '{"a":-NaN}', "{'a':1}", '{"a":.5}', '{"a":0x10}', '{"a":01}', '{"a":1.}', '{"a":1_000}', '{"a":- 1}', '{"a":"\\x41"}', '{"a":"\\u{41}"}', '{"a":"x\\\ny"}', '{"a":"\t"}', '{1:2}', '{"a":1}}', '{"a":1} x', '[1], 2', '{"__proto__":{"a":1}}', '{"a":1,"a":2}', '{a}', '{"a":(1)}', '{"a":undefined}'];
const rows = [];
for (const text of YAML) rows.push([`yaml ${text}`, outcome(() => RT.YAML.parse(text))]);
for (const value of VALUES) rows.push([`to yaml ${JSON.stringify(value)}`, [outcome(() => RT.YAML.stringify(value)), outcome(() => RT.YAML.stringify(value, null, 2))]]);
for (const text of TOML) rows.push([`toml ${text}`, outcome(() => RT.TOML.parse(text))]);
for (const value of TABLES) rows.push([`to toml ${JSON.stringify(value)}`, outcome(() => RT.TOML.stringify(value))]);
for (const text of JSON5) rows.push([`json5 ${text}`, outcome(() => RT.JSON5.parse(text))]);
for (const value of [...VALUES, { default: 1, $a: 2, _b: 3, '1a': 4, 1: 5, é: 6 }, "both'\"", '\u2028', '\v\f\b']) {
  if (!Object.is(value, -0)) rows.push([`to json5 ${JSON.stringify(value)}`, [outcome(() => RT.JSON5.stringify(value)), outcome(() => RT.JSON5.stringify(value, null, 2))]]);
}
for (const text of JSONC) rows.push([`jsonc ${text}`, outcome(() => RT.JSONC.parse(text))]);
for (const text of ['{"a":1}\n2\n\n"x"\n', '{"a":1}\nbad', '', '1\r\n2', 'bad\n', '1\n2\n3']) rows.push([`jsonl ${text}`, outcome(() => RT.JSONL.parse(text))]);
for (const text of ['1\n2\n3', '{"a":1}\n{"b', '', '"a', '12', 'tru', '{"a":1}\n{"b":2}\n']) {
  rows.push([`jsonl chunk ${text}`, outcome(() => RT.JSONL.parseChunk(text))]);
}
const circle = { a: 1 };
circle.self = circle;
const shared = { k: 1 };
rows.push(['circles', [outcome(() => RT.YAML.stringify(circle, null, 2)), outcome(() => RT.YAML.stringify({ x: shared, z: shared })), outcome(() => RT.JSON5.stringify(circle))]]);
show(rows);
