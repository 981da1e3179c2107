export const greeting: string = 'built by rollup';
export const unused = 1;
