import { Kind, Square, total } from "../lib/shapes.js";
export const sum = total([new Square(2), new Square(3)]);
console.log(Kind.Square, sum);
