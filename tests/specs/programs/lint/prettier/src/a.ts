import {a,b} from "x"; export type T = {[key:string]:number|string|undefined|null|Array<{one:string,two:number,three:boolean}>}
const f = async <T,>(x:T, ...rest: unknown[]) => { if(x) return await Promise.all(rest.map(async (each) => [each, x])); else throw new Error("no") }
