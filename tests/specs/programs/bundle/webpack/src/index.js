import text from "./a.txt"; import up from "./b.up"; import { used } from "./lib.js"; import data from "./d.json";
import(/* webpackChunkName: "later" */ "./later.js").then(({ later }) => console.log(later, text.trim(), up, used, WHO, data.list.length));
