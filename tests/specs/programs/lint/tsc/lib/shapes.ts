export interface Shape { readonly area: number }
export enum Kind { Circle = "circle", Square = "square" }
export class Square implements Shape { constructor(readonly side: number) {} get area() { return this.side ** 2 } }
export function total<const T extends readonly Shape[]>(shapes: T): number { return shapes.reduce((sum, each) => sum + each.area, 0) }
