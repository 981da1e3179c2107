import { rollup, watch, VERSION } from "rollup";
const bundle = await rollup({ input: "virtual", plugins: [{ resolveId: (id) => (id === "virtual" ? id : null), load: (id) => (id === "virtual" ? "export default () => 1 + 1" : null) }] });
const { output } = await bundle.generate({ format: "cjs", exports: "auto" });
console.log(output[0].code, bundle.watchFiles);
await bundle.close();
const watcher = watch({ input: "src/lib.js", output: { file: "watched.js" } });
watcher.on("event", async (event) => { console.log(event.code); if (event.result) await event.result.close(); if (event.code === "END") { await watcher.close(); console.log("closed") } });
