// RT.Transpiler: the effect of transpiled code, and the results of a scan.
import { RT, later, outcome, show } from './table.mjs';

const rows = [];
const value = (code, options, loader) => outcome(() => new Function(`${new RT.Transpiler(options).transformSync(code, loader)}; return result;`)());
rows.push(['ts', [
  value('let result: number = 1 as any', { loader: 'ts' }), value('enum A { B, C = "x" } const result = [A.B, A.C, A[0]]', { loader: 'ts' }), value('namespace N { export const q = 1 } const result = N.q', { loader: 'ts' }),
  value('class D { constructor(private x: number) {} } const result = new D(5)', { loader: 'ts' }), value('const f = <T,>(x: T): T => x; const result = f<number>(3)!', { loader: 'ts' }), value('var result: string = "x"', {}, 'ts'),
]]);
const element = 'const h = (...args) => args; const Fragment = "F"; const result = <a b="1">{2}<></></a>';
rows.push(['jsx', value(element, { loader: 'jsx', tsconfig: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } } })]);
rows.push(['define', [value('const result = process.env.X', { define: { 'process.env.X': '"y"' } }), value('const result = [A, typeof B]', { define: { A: '5', B: 'undefined' } }), outcome(() => new RT.Transpiler({ define: { a: 1 } }))]]);
const scan = (code, options) => outcome(() => {
  const { exports, imports } = new RT.Transpiler(options).scan(code);
  return [exports, imports.filter(({ kind }) => kind !== 'require-call').map(({ kind, path }) => `${kind} ${path}`).sort()];
});
rows.push(['scan', [
  scan('import a from "b"; import type { T } from "t"; export const x = 1; export default a; export * from "z"; import("dyn"); import "side"', { loader: 'ts' }), scan('export { x as y }; var x; export class C {}; export function f() {}; export const { a, b: [c] } = {}', { loader: 'js' }),
  scan('import a from "a"; import b from "b"; b', { loader: 'ts', trimUnusedImports: true }), scan('import a from "a"; import b from "b"; b', { loader: 'js', trimUnusedImports: true }), scan('', { loader: 'js' }), scan('let x = ', { loader: 'js' }) === '#undefined',
]]);
rows.push(['imports', outcome(() => new RT.Transpiler({ loader: 'js' }).scanImports('import {c} from "c"; c(); import("dyn"); export * from "z"; export {e} from "e"; require("q")'))]);
rows.push(['wrong', [outcome(() => new RT.Transpiler({ loader: 'nope' })), outcome(() => new RT.Transpiler(5)), outcome(() => new RT.Transpiler().transformSync(5)), outcome(() => new RT.Transpiler().transformSync()), outcome(() => new RT.Transpiler().transformSync('a', 'nope'))]]);
rows.push(['later', [(await new RT.Transpiler({ loader: 'ts' }).transform('let x: number = 1')).trim(), await later(() => new RT.Transpiler().transform(5))]]);
show(rows);
