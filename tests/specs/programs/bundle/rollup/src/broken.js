import { gone } from "./lib.js"; import x from "outside"; console.log(gone, x
