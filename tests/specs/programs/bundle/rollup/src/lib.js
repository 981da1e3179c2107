export const used = "used"; export function unused() { return "UNUSED" }
