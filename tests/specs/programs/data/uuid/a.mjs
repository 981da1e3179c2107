import { MAX, NIL, parse, stringify, v1, v1ToV6, v3, v4, v5, v6, v6ToV1, v7, validate, version } from 'uuid';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const random = Uint8Array.from({ length: 16 }, (_, n) => n * 11);
const time = { node: Uint8Array.of(1, 2, 3, 4, 5, 6), clockseq: 0x1234, msecs: Date.UTC(2020, 1, 2), nsecs: 567, random };
for (const [name, make] of Object.entries({ v1, v4, v6, v7 })) await tried(name, () => { const fixed = make(time); return [fixed, version(fixed), validate(fixed), version(make()), make() === make(), make(time, new Uint8Array(18), 1)]; });
for (const [name, make] of Object.entries({ v3, v5 })) await tried(name, () => [make('ü', make.DNS), make('a', '1b671a64-40d5-491e-99b0-da01ff1f3341'), make([1, 2], make.URL, new Uint8Array(16))]);
await tried('convert', () => [v1ToV6(v1(time)), v6ToV1(v6(time)) === v1(time), stringify(parse(v4({ random }))), NIL, MAX, version(NIL)]);
await tried('order', () => { const all = Array.from({ length: 50 }, () => v7()); return all.every((each, n) => !n || all[n - 1] < each); });
for (const [name, work] of Object.entries({ parse: () => parse('x'), stringify: () => stringify([1]), version: () => version('x'), short: () => v4({ random: [1] }), namespace: () => v5('a', 'x'), missing: () => v5('a'), range: () => v4({}, new Uint8Array(10), 0) })) await tried(name, work);
log([1, '', NIL, `{${NIL}}`, v4()].map(validate));
