const webpack = require("webpack");
module.exports = { entry: "./src/index.js", target: "node", output: { clean: true }, module: { rules: [{ test: /\.txt$/, type: "asset/source" }, { test: /\.up$/, use: require.resolve("./upper.cjs") }] }, plugins: [new webpack.DefinePlugin({ WHO: JSON.stringify("defined") }), new webpack.BannerPlugin("a banner")] };
