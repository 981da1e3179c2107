// module.stripTypeScriptTypes leaves everything but types in place.
process.removeAllListeners('warning'); // Node warns that it is experimental
const { stripTypeScriptTypes: strip } = require('module');
const { inspect } = require('util');

const texts = [
  'const x: number = 1 as any; function f<T>(a?: T): a is string { return a as any }\n type A = 1;\nx!.y',
  'abstract class A<T> implements B { private readonly x: number = 1; declare y; constructor(){} abstract z(): void; get q(): number {return 1} }',
  'import type {X} from "x"; export type {Y}; export {type Z, w}; import {type A, b, type C} from "y"; import d, {type E} from "z"',
  'import type F from "f"; import type * as G from "g"; export type * from "h"; export type * as I from "i"; import {type} from "j"',
  'declare const a: number; declare function f(): void; declare class C {} declare module "m" { const x: 1 } declare global { var y: 2 } declare enum E {} declare namespace N { let z }',
  'interface I { a: string }\nexport interface J extends I {}\nexport default interface K {}',
  'function over(a: string): void;\nfunction over(a: number): void;\nfunction over(a: any) {}\nexport function over2(): void;\nexport function over2(a?: any) {}',
  'class A extends B { m(): void; m(a?: any) {} [key: string]: any; static [key: number]: 1; protected static async *g(): any {} public x; readonly y? = 1; z!: number; override get w() { return 1 } }',
  'class A extends B<C> implements D, E<F> { constructor(private_: string, readonly_?: number) { super() } }',
  'f<T>(x); new G<T>(y); h<A, B<C>>`t`; const i = j<K>; a?.b<C>(); a?.<C>(d);',
  'let v = <T,>(x: T) => x; let w = async <T>(x: T): Promise<T> => x; let u = (a?: number, ...b: string[]): void => {}; let s = function <T>(this: Window, a: T) {}; function t(this: X) {}',
  'const x = y satisfies Z; const o = { m<T>(a: T): void {}, get p(): string { return "" } } as const; (x as any) = 1; for (const k of x as any[]) ; try {} catch (e: unknown) {}',
  'let x!: number, y: string | undefined = undefined, { a, b }: { a: 1; b: 2 } = z; var [c]: [number] = [1]',
  'type A = {\n  a: string;\n  b: number;\n}\nconst x = 1',
  '/* a */ let /* b */ x /* c */ : /* d */ number /* e */ = /* f */ 1 // g : h',
  'let é: "ä😀漢" = "x" as "é"; let z',
  'let x = 1\ntype A = 1\n(y)\nlet z = 1;\ntype B = 2;\n(y)\n{\ntype C = 3\n[1].f()\n}',
  'foo as any\n(bar)\nfoo!\n[1]\nlet a = b as c\n`t`\nlet d = (e as f\n+ 1)',
  'class A { a = 1 as any\n["x"] = 2\nb: string = "x" as string }\nclass B { foo = 1\npublic ["x"] = 1\nbar = 2;\nprivate *g() {} }',
  'class A { get: string\nfoo() {}\nset: number\nbar() {}\nstatic: any\nbaz() {} }',
  'const a = (\n  x: number\n): Promise<\n  void\n> => x; const b = async <\n  T\n>(x: T) => x; function c() { return <\n T\n>(x: T) => x }',
  'namespace A { export type B = 1; interface C {} }\nnamespace D.E { type F = 1 }\nexport namespace G { export type H = 1 }',
  'export declare const a: 1; export abstract class B { abstract c: d; e(): void {} } export default abstract class C {}',
  '@dec() class A { @dec private readonly x: number = 1; @dec() public m(@p a: string): void {} }',
  'class A { accessor x: number = 1; static accessor y?: string; declare private z: string; static { let a: number } private static readonly s: string; #p?: number; "q"!: string; [r]?: number }',
  'let a = b < c > (d); let f = (g as h) ? (i): j => k : l; let m = n ? (o) : p',
  'function f() { type A = 1\n(b) }', '{}\ninterface A {}\n[b]', 'a\ntype B = 1\ntype C = 2\n(c)', 'a\n/*x*/ type B = 1 /*y*/\n`c`', 'throw a as b\n(c)', 'export default a as b\n(c)', 'label: x as y\n/z/g', 'class A { b!: c\n["d"] = 1; set?: x\ng(){} }', 'class A { b = c as d\n["e"] = 1 }', 'class A { private ["x"] = 1; private *g(){} private *h(){} [k: string]: any; i(){} }',
  'if (a) b as c\nelse d!\nswitch (e) { case f as g: h!; }\ndo x as y\nwhile (z)',
  'export { type A }; export { type B, } from "b"; export { c, type D, e } from "d"; import {} from "f"; import { type G as H } from "g"',
  'enum A {B}', 'const enum A {B}', 'export enum A {B}', 'namespace A { let x = 1 }', 'export namespace A.B { export const c = 1 }', 'module A {}', 'declare module A {}', 
  'class A { constructor(private x) {} }', 'class A { constructor(readonly x: string) {} }', 'class A { constructor(override x) {} }', 'import a = require("a")', 'import b = c.d', 'export import e = f.g', 'import type h = require("h")', 'export = x', 'let x = <any>y',
  '', '// only a comment', '#!/usr/bin/env node\nlet x: number',
];
for (const text of texts) {
  try {
    const stripped = strip(text);
    console.log(inspect(stripped), stripped.length - text.length);
  } catch (error) {
    console.log(inspect(text), error.name, error.code, error.message);
  }
}
for (const text of ['const a: number = ', 'class {', 'function (: number) {}', 'let x: = 1']) {
  try {
    console.log(strip(text));
  } catch (error) {
    console.log(error.name, error.code);
  }
}
console.log(inspect(strip('const a: number = 1', { sourceUrl: 'x.ts' })));
