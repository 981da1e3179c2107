import { compile, parse, preprocess, compileModule, VERSION } from "svelte/compiler"; import { writeFileSync } from "node:fs"; import { render } from "svelte/server"; import { writable, derived, get } from "svelte/store";
const source = '<script>let { name = "you" } = $props(); let n = $state(1); let twice = $derived(n * 2);</script>\n{#each [1, 2] as i (i)}<p class="a" onclick={() => n++}>{i} {twice}</p>{/each}{#if name}<b>{@html name}</b>{:else}none{/if}<img src="x">\n<style>.a { color: red } .unused { x: y }</style>';
for (const generate of ["client", "server"]) { const made = compile(source, { generate, filename: "App.svelte", dev: false }); console.log(made.js.code, made.css?.code, made.warnings.map((each) => each.code).join()); if (generate === "server") writeFileSync("App.js", made.js.code) }
console.log(JSON.stringify(render((await import("./App.js")).default, { props: { name: "<i>me</i>" } })));
try { compile("{#if}", {}) } catch (error) { console.log(error.code, error.start.line) }
const a = writable(1), b = derived(a, (x) => x + 1); a.set(5); console.log(get(b), VERSION, parse("<p>x</p>", { modern: true }).fragment.nodes[0].name);
console.log((await preprocess("<style>a{}</style>", { style: async ({ content }) => ({ code: content.toUpperCase() }) })).code, compileModule("export const s = $state({ a: 1 })", { filename: "s.svelte.js" }).js.code);
