export const b: string = "b"; export const shaken = "away";
