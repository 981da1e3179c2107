import * as esbuild from "esbuild";
console.log(esbuild.version);
const plugin = { name: "own", setup(build) { build.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "own" })); build.onLoad({ filter: /.*/, namespace: "own" }, async ({ path }) => ({ contents: `export default ${JSON.stringify(path)}` })) } };
const built = await esbuild.build({ entryPoints: ["src/a.ts"], bundle: true, write: false, format: "esm", sourcemap: "external", outdir: "out", plugins: [plugin], metafile: true });
for (const file of built.outputFiles) console.log(file.path.split("/").pop(), file.text.length > 100);
console.log(built.outputFiles[1].text, String(Object.keys(built.metafile.inputs)));
console.log((await esbuild.transform("let x: number = <any>1; export { x }", { loader: "ts" })).code);
console.log(esbuild.transformSync("<a b={1}/>", { loader: "jsx", jsx: "automatic" }).code);
console.log(esbuild.buildSync({ stdin: { contents: "console.log(1 + 1)" }, write: false, minify: true }).outputFiles[0].text);
try { await esbuild.build({ entryPoints: ["src/broken.ts"], bundle: true, write: false, logLevel: "silent" }) } catch (error) { console.log(String(error.errors.map((each) => `${each.location.file}:${each.location.line} ${each.text}`))) }
const context = await esbuild.context({ entryPoints: ["src/a.ts"], bundle: true, write: false, plugins: [plugin] });
console.log((await context.rebuild()).errors, (await context.rebuild()).outputFiles.length);
await context.dispose();
console.log((await esbuild.analyzeMetafile(built.metafile)).includes("src/a.ts"));
await esbuild.stop();
