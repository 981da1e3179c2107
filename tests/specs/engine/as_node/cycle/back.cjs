require("./to_commonjs.mjs");
