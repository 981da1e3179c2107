export const five = 5;
