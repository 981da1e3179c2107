import Def, { Shade, Level, Mixed, Plan, Engine, Abstract, Role, Deep, Alias } from "./kinds";
import * as K from "./kinds";
const note = (..._: any[]): any => {};
const value = 1; 
class Local { x = 1 } class Other { y = 1 }
interface Face { a: 1 } interface CallFace { (): void } interface Gen<T> { a: T }
type Ali = string; type AliLocal = Local; type AliUnion = Local | Other; type AliFn = () => void; type AliArr = string[]; type AliBrand = string & { b: 1 }; type AliEnum = LocalEnum; type AliNum = 1 | 2; type AliNull = null; type AliGen<T> = T | null; type AliTpl = `a${string}`; type AliTuple = [string]; type AliRec = Record<string, string>; type AliList<T> = T[]; type AliObj = { a: 1 }; type AliProm = Promise<string>;
const table = { a: 1, b: 2 } as const; const list = ["a", "b"] as const; type AliKeys = keyof typeof table; type AliVals = (typeof list)[number]; type Names2 = "a" | "b";
enum LocalEnum { A, B } enum TextEnum { A = "a" } enum MixEnum { A, B = "b" } enum CompEnum { A = "abc".length, B = Math.random() } const enum ConstEnum { A = 1 } enum EmptyEnum {} enum TplEnum { A = `x` } enum SumEnum { A = "a" + "b" } enum RefEnum { A = TextEnum.A }
namespace NS { export enum E { A, B } export enum T { A = "t" } export class K { k = 1 } export interface I { i: 1 } export namespace Sub { export enum E2 { A = "z" } } class Here { @note e!: E; @note k!: K; @note i!: I } }
function said(value: any): string {
  return Array.isArray(value) ? `[${value.map(said)}]` : value === undefined ? "undefined" : typeof value === "function" ? value.name : typeof value;
}
(Reflect as any).metadata = (key: string, value: any) => (target: any, name?: string) => {
  const place = typeof target === "function" ? (name === undefined ? target.name : `static ${name}`) : name;
  console.log(place, key.slice("design:".length), said(value));
};
class Self<U extends string, V extends Local, W> {
  @note list!: AliList<string>;
  @note f0!: string;
  @note m0(a: string, ...r: Array<string>): string { return null as any }
  @note f1!: number;
  @note m1(a: number, ...r: Array<number>): number { return null as any }
  @note f2!: boolean;
  @note m2(a: boolean, ...r: Array<boolean>): boolean { return null as any }
  @note f3!: bigint;
  @note m3(a: bigint, ...r: Array<bigint>): bigint { return null as any }
  @note f4!: symbol;
  @note m4(a: symbol, ...r: Array<symbol>): symbol { return null as any }
  @note f5!: any;
  @note m5(a: any, ...r: Array<any>): any { return null as any }
  @note f6!: unknown;
  @note m6(a: unknown, ...r: Array<unknown>): unknown { return null as any }
  @note f7!: object;
  @note m7(a: object, ...r: Array<object>): object { return null as any }
  @note f8!: void;
  @note m8(a: void, ...r: Array<void>): void { return null as any }
  @note f9!: undefined;
  @note m9(a: undefined, ...r: Array<undefined>): undefined { return null as any }
  @note f10!: null;
  @note m10(a: null, ...r: Array<null>): null { return null as any }
  @note f11!: never;
  @note m11(a: never, ...r: Array<never>): never { return null as any }
  @note f12!: string[];
  @note m12(a: string[], ...r: Array<string[]>): string[] { return null as any }
  @note f13!: Array<string>;
  @note m13(a: Array<string>, ...r: Array<Array<string>>): Array<string> { return null as any }
  @note f14!: [string,number];
  @note m14(a: [string,number], ...r: Array<[string,number]>): [string,number] { return null as any }
  @note f15!: readonly string[];
  @note m15(a: readonly string[], ...r: Array<readonly string[]>): readonly string[] { return null as any }
  @note f16!: ReadonlyArray<string>;
  @note m16(a: ReadonlyArray<string>, ...r: Array<ReadonlyArray<string>>): ReadonlyArray<string> { return null as any }
  @note f17!: ()=>void;
  @note m17(a: ()=>void, ...r: Array<()=>void>): ()=>void { return null as any }
  @note f18!: new()=>Local;
  @note m18(a: new()=>Local, ...r: Array<new()=>Local>): new()=>Local { return null as any }
  @note f19!: 'lit';
  @note m19(a: 'lit', ...r: Array<'lit'>): 'lit' { return null as any }
  @note f20!: 1;
  @note m20(a: 1, ...r: Array<1>): 1 { return null as any }
  @note f21!: -1;
  @note m21(a: -1, ...r: Array<-1>): -1 { return null as any }
  @note f22!: 1n;
  @note m22(a: 1n, ...r: Array<1n>): 1n { return null as any }
  @note f23!: true;
  @note m23(a: true, ...r: Array<true>): true { return null as any }
  @note f24!: `t${string}`;
  @note m24(a: `t${string}`, ...r: Array<`t${string}`>): `t${string}` { return null as any }
  @note f25!: Date;
  @note m25(a: Date, ...r: Array<Date>): Date { return null as any }
  @note f26!: Map<string,number>;
  @note m26(a: Map<string,number>, ...r: Array<Map<string,number>>): Map<string,number> { return null as any }
  @note f27!: Set<string>;
  @note m27(a: Set<string>, ...r: Array<Set<string>>): Set<string> { return null as any }
  @note f28!: Promise<string>;
  @note m28(a: Promise<string>, ...r: Array<Promise<string>>): Promise<string> { return null as any }
  @note f29!: PromiseLike<string>;
  @note m29(a: PromiseLike<string>, ...r: Array<PromiseLike<string>>): PromiseLike<string> { return null as any }
  @note f30!: Record<string,string>;
  @note m30(a: Record<string,string>, ...r: Array<Record<string,string>>): Record<string,string> { return null as any }
  @note f31!: Partial<Local>;
  @note m31(a: Partial<Local>, ...r: Array<Partial<Local>>): Partial<Local> { return null as any }
  @note f32!: RegExp;
  @note m32(a: RegExp, ...r: Array<RegExp>): RegExp { return null as any }
  @note f33!: Error;
  @note m33(a: Error, ...r: Array<Error>): Error { return null as any }
  @note f34!: Function;
  @note m34(a: Function, ...r: Array<Function>): Function { return null as any }
  @note f35!: Object;
  @note m35(a: Object, ...r: Array<Object>): Object { return null as any }
  @note f36!: String;
  @note m36(a: String, ...r: Array<String>): String { return null as any }
  @note f37!: Number;
  @note m37(a: Number, ...r: Array<Number>): Number { return null as any }
  @note f38!: Symbol;
  @note m38(a: Symbol, ...r: Array<Symbol>): Symbol { return null as any }
  @note f39!: Uint8Array;
  @note m39(a: Uint8Array, ...r: Array<Uint8Array>): Uint8Array { return null as any }
  @note f40!: Local;
  @note m40(a: Local, ...r: Array<Local>): Local { return null as any }
  @note f41!: Local[];
  @note m41(a: Local[], ...r: Array<Local[]>): Local[] { return null as any }
  @note f42!: Local|Local;
  @note m42(a: Local|Local, ...r: Array<Local|Local>): Local|Local { return null as any }
  @note f43!: Local|null;
  @note m43(a: Local|null, ...r: Array<Local|null>): Local|null { return null as any }
  @note f44!: Local|undefined;
  @note m44(a: Local|undefined, ...r: Array<Local|undefined>): Local|undefined { return null as any }
  @note f45!: Local|string;
  @note m45(a: Local|string, ...r: Array<Local|string>): Local|string { return null as any }
  @note f46!: string|number;
  @note m46(a: string|number, ...r: Array<string|number>): string|number { return null as any }
  @note f47!: string|null;
  @note m47(a: string|null, ...r: Array<string|null>): string|null { return null as any }
  @note f48!: string|undefined;
  @note m48(a: string|undefined, ...r: Array<string|undefined>): string|undefined { return null as any }
  @note f49!: 'a'|'b';
  @note m49(a: 'a'|'b', ...r: Array<'a'|'b'>): 'a'|'b' { return null as any }
  @note f50!: 1|2;
  @note m50(a: 1|2, ...r: Array<1|2>): 1|2 { return null as any }
  @note f51!: 'a'|1;
  @note m51(a: 'a'|1, ...r: Array<'a'|1>): 'a'|1 { return null as any }
  @note f52!: true|false;
  @note m52(a: true|false, ...r: Array<true|false>): true|false { return null as any }
  @note f53!: null|undefined;
  @note m53(a: null|undefined, ...r: Array<null|undefined>): null|undefined { return null as any }
  @note f54!: number|null|undefined;
  @note m54(a: number|null|undefined, ...r: Array<number|null|undefined>): number|null|undefined { return null as any }
  @note f55!: Local&Other;
  @note m55(a: Local&Other, ...r: Array<Local&Other>): Local&Other { return null as any }
  @note f56!: string&{b:1};
  @note m56(a: string&{b:1}, ...r: Array<string&{b:1}>): string&{b:1} { return null as any }
  @note f57!: Local&{b:1};
  @note m57(a: Local&{b:1}, ...r: Array<Local&{b:1}>): Local&{b:1} { return null as any }
  @note f58!: {a:1};
  @note m58(a: {a:1}, ...r: Array<{a:1}>): {a:1} { return null as any }
  @note f59!: {():void};
  @note m59(a: {():void}, ...r: Array<{():void}>): {():void} { return null as any }
  @note f60!: keyof Local;
  @note m60(a: keyof Local, ...r: Array<keyof Local>): keyof Local { return null as any }
  @note f61!: typeof value;
  @note m61(a: typeof value, ...r: Array<typeof value>): typeof value { return null as any }
  @note f62!: Local['x'];
  @note m62(a: Local['x'], ...r: Array<Local['x']>): Local['x'] { return null as any }
  @note f63!: Face;
  @note m63(a: Face, ...r: Array<Face>): Face { return null as any }
  @note f64!: CallFace;
  @note m64(a: CallFace, ...r: Array<CallFace>): CallFace { return null as any }
  @note f65!: Gen<string>;
  @note m65(a: Gen<string>, ...r: Array<Gen<string>>): Gen<string> { return null as any }
  @note f66!: Ali;
  @note m66(a: Ali, ...r: Array<Ali>): Ali { return null as any }
  @note f67!: AliLocal;
  @note m67(a: AliLocal, ...r: Array<AliLocal>): AliLocal { return null as any }
  @note f68!: AliUnion;
  @note m68(a: AliUnion, ...r: Array<AliUnion>): AliUnion { return null as any }
  @note f69!: AliFn;
  @note m69(a: AliFn, ...r: Array<AliFn>): AliFn { return null as any }
  @note f70!: AliArr;
  @note m70(a: AliArr, ...r: Array<AliArr>): AliArr { return null as any }
  @note f71!: AliBrand;
  @note m71(a: AliBrand, ...r: Array<AliBrand>): AliBrand { return null as any }
  @note f72!: AliEnum;
  @note m72(a: AliEnum, ...r: Array<AliEnum>): AliEnum { return null as any }
  @note f73!: AliNum;
  @note m73(a: AliNum, ...r: Array<AliNum>): AliNum { return null as any }
  @note f74!: AliNull;
  @note m74(a: AliNull, ...r: Array<AliNull>): AliNull { return null as any }
  @note f75!: AliGen<string>;
  @note m75(a: AliGen<string>, ...r: Array<AliGen<string>>): AliGen<string> { return null as any }
  @note f76!: AliTpl;
  @note m76(a: AliTpl, ...r: Array<AliTpl>): AliTpl { return null as any }
  @note f77!: AliTuple;
  @note m77(a: AliTuple, ...r: Array<AliTuple>): AliTuple { return null as any }
  @note f78!: AliRec;
  @note m78(a: AliRec, ...r: Array<AliRec>): AliRec { return null as any }
  @note f79!: AliKeys;
  @note m79(a: AliKeys, ...r: Array<AliKeys>): AliKeys { return null as any }
  @note f80!: AliVals;
  @note m80(a: AliVals, ...r: Array<AliVals>): AliVals { return null as any }
  @note f81!: AliObj;
  @note m81(a: AliObj, ...r: Array<AliObj>): AliObj { return null as any }
  @note f82!: AliProm;
  @note m82(a: AliProm, ...r: Array<AliProm>): AliProm { return null as any }
  @note f83!: LocalEnum;
  @note m83(a: LocalEnum, ...r: Array<LocalEnum>): LocalEnum { return null as any }
  @note f84!: TextEnum;
  @note m84(a: TextEnum, ...r: Array<TextEnum>): TextEnum { return null as any }
  @note f85!: MixEnum;
  @note m85(a: MixEnum, ...r: Array<MixEnum>): MixEnum { return null as any }
  @note f86!: CompEnum;
  @note m86(a: CompEnum, ...r: Array<CompEnum>): CompEnum { return null as any }
  @note f87!: ConstEnum;
  @note m87(a: ConstEnum, ...r: Array<ConstEnum>): ConstEnum { return null as any }
  @note f88!: LaterEnum;
  @note m88(a: LaterEnum, ...r: Array<LaterEnum>): LaterEnum { return null as any }
  @note f89!: EmptyEnum;
  @note m89(a: EmptyEnum, ...r: Array<EmptyEnum>): EmptyEnum { return null as any }
  @note f90!: TplEnum;
  @note m90(a: TplEnum, ...r: Array<TplEnum>): TplEnum { return null as any }
  @note f91!: SumEnum;
  @note m91(a: SumEnum, ...r: Array<SumEnum>): SumEnum { return null as any }
  @note f92!: RefEnum;
  @note m92(a: RefEnum, ...r: Array<RefEnum>): RefEnum { return null as any }
  @note f93!: LocalEnum.A;
  @note m93(a: LocalEnum.A, ...r: Array<LocalEnum.A>): LocalEnum.A { return null as any }
  @note f94!: TextEnum.A;
  @note m94(a: TextEnum.A, ...r: Array<TextEnum.A>): TextEnum.A { return null as any }
  @note f95!: MixEnum.B;
  @note m95(a: MixEnum.B, ...r: Array<MixEnum.B>): MixEnum.B { return null as any }
  @note f96!: LocalEnum|null;
  @note m96(a: LocalEnum|null, ...r: Array<LocalEnum|null>): LocalEnum|null { return null as any }
  @note f97!: LocalEnum|TextEnum;
  @note m97(a: LocalEnum|TextEnum, ...r: Array<LocalEnum|TextEnum>): LocalEnum|TextEnum { return null as any }
  @note f98!: TextEnum|undefined;
  @note m98(a: TextEnum|undefined, ...r: Array<TextEnum|undefined>): TextEnum|undefined { return null as any }
  @note f99!: LocalEnum[];
  @note m99(a: LocalEnum[], ...r: Array<LocalEnum[]>): LocalEnum[] { return null as any }
  @note f100!: NS.E;
  @note m100(a: NS.E, ...r: Array<NS.E>): NS.E { return null as any }
  @note f101!: NS.T;
  @note m101(a: NS.T, ...r: Array<NS.T>): NS.T { return null as any }
  @note f102!: NS.K;
  @note m102(a: NS.K, ...r: Array<NS.K>): NS.K { return null as any }
  @note f103!: NS.I;
  @note m103(a: NS.I, ...r: Array<NS.I>): NS.I { return null as any }
  @note f104!: NS.Sub.E2;
  @note m104(a: NS.Sub.E2, ...r: Array<NS.Sub.E2>): NS.Sub.E2 { return null as any }
  @note f105!: NS.E|null;
  @note m105(a: NS.E|null, ...r: Array<NS.E|null>): NS.E|null { return null as any }
  @note f106!: NS.E.A;
  @note m106(a: NS.E.A, ...r: Array<NS.E.A>): NS.E.A { return null as any }
  @note f107!: Shade;
  @note m107(a: Shade, ...r: Array<Shade>): Shade { return null as any }
  @note f108!: Level;
  @note m108(a: Level, ...r: Array<Level>): Level { return null as any }
  @note f109!: Mixed;
  @note m109(a: Mixed, ...r: Array<Mixed>): Mixed { return null as any }
  @note f110!: Plan;
  @note m110(a: Plan, ...r: Array<Plan>): Plan { return null as any }
  @note f111!: Engine;
  @note m111(a: Engine, ...r: Array<Engine>): Engine { return null as any }
  @note f112!: Abstract;
  @note m112(a: Abstract, ...r: Array<Abstract>): Abstract { return null as any }
  @note f113!: Role;
  @note m113(a: Role, ...r: Array<Role>): Role { return null as any }
  @note f114!: Deep.Inner;
  @note m114(a: Deep.Inner, ...r: Array<Deep.Inner>): Deep.Inner { return null as any }
  @note f115!: Deep.Klass;
  @note m115(a: Deep.Klass, ...r: Array<Deep.Klass>): Deep.Klass { return null as any }
  @note f116!: Deep.Face;
  @note m116(a: Deep.Face, ...r: Array<Deep.Face>): Deep.Face { return null as any }
  @note f117!: Def;
  @note m117(a: Def, ...r: Array<Def>): Def { return null as any }
  @note f118!: Alias;
  @note m118(a: Alias, ...r: Array<Alias>): Alias { return null as any }
  @note f119!: Engine|null;
  @note m119(a: Engine|null, ...r: Array<Engine|null>): Engine|null { return null as any }
  @note f120!: Plan|null;
  @note m120(a: Plan|null, ...r: Array<Plan|null>): Plan|null { return null as any }
  @note f121!: Shade|null;
  @note m121(a: Shade|null, ...r: Array<Shade|null>): Shade|null { return null as any }
  @note f122!: Engine[];
  @note m122(a: Engine[], ...r: Array<Engine[]>): Engine[] { return null as any }
  @note f123!: K.Shade;
  @note m123(a: K.Shade, ...r: Array<K.Shade>): K.Shade { return null as any }
  @note f124!: K.Engine;
  @note m124(a: K.Engine, ...r: Array<K.Engine>): K.Engine { return null as any }
  @note f125!: K.Plan;
  @note m125(a: K.Plan, ...r: Array<K.Plan>): K.Plan { return null as any }
  @note f126!: K.Deep.Klass;
  @note m126(a: K.Deep.Klass, ...r: Array<K.Deep.Klass>): K.Deep.Klass { return null as any }
  @note f128!: Self;
  @note m128(a: Self, ...r: Array<Self>): Self { return null as any }
  @note f129!: this;
  @note m129(a: this, ...r: Array<this>): this { return null as any }
  @note f130!: Local extends any?string:number;
  @note m130(a: Local extends any?string:number, ...r: Array<Local extends any?string:number>): Local extends any?string:number { return null as any }
  @note f131!: Uppercase<string>;
  @note m131(a: Uppercase<string>, ...r: Array<Uppercase<string>>): Uppercase<string> { return null as any }
  @note f132!: NodeJS.Timeout;
  @note m132(a: NodeJS.Timeout, ...r: Array<NodeJS.Timeout>): NodeJS.Timeout { return null as any }
  @note f133!: Missing;
  @note m133(a: Missing, ...r: Array<Missing>): Missing { return null as any }
  @note f134!: Buffer;
  @note m134(a: Buffer, ...r: Array<Buffer>): Buffer { return null as any }
  @note f135!: Promise<void>|null;
  @note m135(a: Promise<void>|null, ...r: Array<Promise<void>|null>): Promise<void>|null { return null as any }
  @note f136!: Iterable<string>;
  @note m136(a: Iterable<string>, ...r: Array<Iterable<string>>): Iterable<string> { return null as any }
  @note f137!: AsyncGenerator<number>;
  @note m137(a: AsyncGenerator<number>, ...r: Array<AsyncGenerator<number>>): AsyncGenerator<number> { return null as any }
  @note f138!: U;
  @note m138(a: U, ...r: Array<U>): U { return null as any }
  @note f139!: V;
  @note m139(a: V, ...r: Array<V>): V { return null as any }
  @note f140!: W;
  @note m140(a: W, ...r: Array<W>): W { return null as any }
  @note f141!: (string);
  @note m141(a: (string), ...r: Array<(string)>): (string) { return null as any }
  @note f142!: (Local|null);
  @note m142(a: (Local|null), ...r: Array<(Local|null)>): (Local|null) { return null as any }
  @note f143!: readonly Local[];
  @note m143(a: readonly Local[], ...r: Array<readonly Local[]>): readonly Local[] { return null as any }
  @note f144!: symbol;
  @note m144(a: symbol, ...r: Array<symbol>): symbol { return null as any }
  @note f145!: import('./kinds').Engine;
  @note m145(a: import('./kinds').Engine, ...r: Array<import('./kinds').Engine>): import('./kinds').Engine { return null as any }
  @note f146!: Exclude<Names2,'a'>;
  @note m146(a: Exclude<Names2,'a'>, ...r: Array<Exclude<Names2,'a'>>): Exclude<Names2,'a'> { return null as any }
  @note f147!: NonNullable<Local>;
  @note m147(a: NonNullable<Local>, ...r: Array<NonNullable<Local>>): NonNullable<Local> { return null as any }
  @note f148!: Shadowed;
  @note m148(a: Shadowed, ...r: Array<Shadowed>): Shadowed { return null as any }
  @note async am() {} @note async at(): Promise<string> { return '' } @note *g() {} @note async *ag() {} @note async *agt(): AsyncGenerator<number> {} @note gt(): Generator<number> { return null as any } @note noType(a, b = 1, { c }: { c: 1 }, ...d) {} @note static st(this: Self<any, any, any>, a: string) {} @note get acc(): Local { return null as any } set acc(v: Local) {} @note get getOnly(): string { return '' } @note set setOnly(v: number) {} get dd(): string { return '' } @note set dd(v: string) {} @note accessor au: Shade = Shade.Warm; @note un; @note pred(x: any): x is string { return true } @note ass(x: any): asserts x { } mp(@note a: Level, b: Plan) {} @note opt?: Local; @note static sf: TextEnum; set sp(@note v: Local) {} get sp(): Local { return null as any }
}
@note class Ctor { constructor(a: Plan, private b: Engine, readonly c?: Shade, ...d: Local[]) {} }
@note class NoCtor {}
class PCtor { constructor(@note a: Level, b: string) {} }
@note class Kid extends Ctor {}

enum LaterEnum { A, B }
function Keys(c: any) { }
