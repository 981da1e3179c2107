export const used = "used"; export const unused = "UNUSED";
