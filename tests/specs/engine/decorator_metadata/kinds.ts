export enum Shade { Warm = "warm", Cold = "cold" }
export enum Level { Low, High }
export enum Mixed { A = 1, B = "b" }
export const enum Konst { A = 1, B }
export const enum KonstText { A = "a" }
export interface Plan { steps: string[] }
export class Engine { x = 1 }
export abstract class Abstract { abstract y(): void }
export type Names = "a" | "b";
export type Fn = () => void;
export const Role = { Admin: "admin", User: "user" } as const;
export type Role = (typeof Role)[keyof typeof Role];
export namespace Deep { export enum Inner { P, Q } export class Klass {} export interface Face {} }
export default class Def { d = 1 }
export type Alias = Engine;
