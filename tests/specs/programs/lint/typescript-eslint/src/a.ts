type Point = { x: number; y: number };
export async function load(url: string): Promise<Point> { const text = await Promise.resolve(url); return JSON.parse(text) }
export function run(list: Array<string>) { load(list[0]!); for (let i = 0; i < list.length; i++) console.log(list[i]); return list.length === 0 || false === true }
export const any = (x: any) => x.y.z;
declare const console: { log(...all: unknown[]): void };
