import { b } from "./b"; enum E { A, B } console.log(b satisfies string, E.B);
