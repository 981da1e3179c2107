export const b = typeof require;
