export const classes = ["grid-cols-3", `p-${1}`, "before:content-['x']"];
