import autoprefixer from "autoprefixer"; import cssnano from "cssnano";
export default { plugins: [autoprefixer({ overrideBrowserslist: ["chrome 20", "firefox 20"] }), cssnano({ preset: "default" })] };
