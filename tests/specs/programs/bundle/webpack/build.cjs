const webpack = require("webpack");
const compiler = webpack({ mode: "none", entry: "./src/lib.js", output: { path: __dirname + "/api" } });
compiler.hooks.done.tap("told", () => console.log("done"));
compiler.run((error, stats) => { console.log(error, stats.hasErrors(), String(Object.keys(stats.compilation.assets))); compiler.close((error) => console.log("closed", error)) });
