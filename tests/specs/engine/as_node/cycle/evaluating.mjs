import { createRequire } from "node:module";
createRequire(import.meta.url)("./leads_back.mjs");
