export const late: number = 5; console.log(late);
