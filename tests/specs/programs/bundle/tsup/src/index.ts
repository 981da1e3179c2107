export interface Options { by?: number }
export const double = (x: number, { by = 2 }: Options = {}): number => x * by;
