module.exports = { ...require("./webpack.config.cjs"), devtool: "source-map", output: { path: __dirname + "/dev" }, cache: { type: "filesystem", cacheDirectory: __dirname + "/cache" } };
