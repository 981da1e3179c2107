export const six: number = 6;
