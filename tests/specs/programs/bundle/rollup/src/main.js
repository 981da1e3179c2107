import { used } from "./lib.js"; export const late = import("./later.js").then((m) => console.log(m.default, used));
