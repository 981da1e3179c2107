// Modules of node:vm: linking, evaluation, statuses, import.meta, import(), and errors of misuse.
const vm = require('vm'); const util = require('util');
(async () => {
  const c = vm.createContext({ console, out: [] });
  const a = new vm.SourceTextModule('import b, { x } from "b"; import * as ns from "c"; export const y = x + 1; export default b; out.push(import.meta.u, Object.keys(ns).join()); export { ns }; export async function late() { return await import("late", { with: { type: "t" } }) }', { context: c, identifier: 'a.mjs', initializeImportMeta(meta, m) { meta.u = 'meta:' + (m === a); }, async importModuleDynamically(s, ref, attrs) { console.log('dyn', s, ref === a, JSON.stringify(attrs)); return b; } });
  console.log(a.status, a.identifier, a.context === c, a.dependencySpecifiers.join(), JSON.stringify(a.moduleRequests));
  const b = new vm.SyntheticModule(['default', 'x'], function () { this.setExport('default', 'D'); this.setExport('x', 41); }, { context: c, identifier: 'b' });
  console.log(b.status, util.inspect(b, { depth: 0 }));
  const d = new vm.SourceTextModule('export let z = 1; export default function named() {}', { context: c });
  for (const f of [() => a.namespace, () => a.error, () => d.instantiate, () => new vm.Module(), () => new vm.SourceTextModule(5), () => new vm.SourceTextModule('import', { context: c }), () => new vm.SyntheticModule('x'), () => new vm.SyntheticModule(['a', 'a'], () => {}), () => a.status = 5, () => vm.Module.prototype.status, () => new vm.SourceTextModule('1', { context: {} }), () => b.setExport(5)]) try { const r = f(); console.log('ok', typeof r); } catch (e) { console.log(e.name, e.code, e.message); }
  try { await a.evaluate(); } catch (e) { console.log(e.code, e.message); }
  await a.link(async (s, ref, extra) => { console.log('link', s, ref === a, JSON.stringify(extra)); return s === 'b' ? b : d; });
  console.log(a.status, b.status, d.status);
  try { await a.link(() => {}); } catch (e) { console.log(e.code, e.message); }
  const cache = a.createCachedData(); console.log(Buffer.isBuffer(cache));
  const p = a.evaluate(); console.log(a.status, util.types.isPromise(p), await p, a.status);
  console.log(a.namespace.y, a.namespace.default, c.out.join(), a.namespace.ns.z, util.inspect(a.namespace, { depth: 0 }));
  console.log((await a.namespace.late()).x);
  const e = new vm.SourceTextModule('throw new Error("in module")', { context: c, identifier: 'e.mjs' }); await e.link(() => {});
  try { await e.evaluate(); } catch (x) { console.log(x.message, e.status, e.error === x); }
  const t = new vm.SourceTextModule('await 1; export default 2'); await t.link(() => {}); console.log(t.hasTopLevelAwait?.(), t.hasAsyncGraph?.(), t.identifier); await t.evaluate(); console.log(t.namespace.default);
  const bad = new vm.SourceTextModule('import "x"'); try { await bad.link(() => 5); } catch (x) { console.log(x.code, x.message, bad.status, bad.error === x); }
  const diff = new vm.SourceTextModule('import "x"'); try { await diff.link(() => d); } catch (x) { console.log(x.code, x.message); }
  const miss = new vm.SourceTextModule('import { nope } from "x"', { context: c, identifier: 'miss' }); try { await miss.link(() => d); } catch (x) { console.log(x.name, x.message, miss.status); }
  const lim = new vm.SourceTextModule('for (;;);'); await lim.link(() => {}); try { await lim.evaluate({ timeout: 10 }); } catch (x) { console.log(x.code, x.message); }
  for (const text of ['for (;;);', 'Promise.resolve().then(() => { for (;;); }); for (;;);', 'Promise.resolve().then(() => { for (;;); })', 'await 1; for (;;);']) {
    const endless = new vm.SourceTextModule(text, { context: vm.createContext({}, { microtaskMode: 'afterEvaluate' }) });
    await endless.link(() => {});
    try { await endless.evaluate({ timeout: 10 }); } catch (x) { console.log(x.code, x.message); }
  }
  const cyc1 = new vm.SourceTextModule('import { q } from "2"; export const p = 1; export const r = () => q', { identifier: '1' }), cyc2 = new vm.SourceTextModule('import { p } from "1"; export const q = 2; export const s = () => p', { identifier: '2' });
  await cyc1.link((s) => s === '2' ? cyc2 : cyc1); await cyc1.evaluate(); console.log(cyc1.namespace.r(), cyc2.namespace.s(), cyc2.status);
  // Phases: requests, suitable modules, and that only the program's own files have sources.
  const phases = new vm.SourceTextModule('import "a"; import foo from "foo"; import source Foo from "foo"; import "foo" with { type: "x" };');
  console.log(util.inspect(phases.moduleRequests), Object.isFrozen(phases.moduleRequests[0].attributes));
  const one = new vm.SourceTextModule('export default 1', { identifier: 'one' }), two = new vm.SourceTextModule('export default 2');
  for (const given of [[one], [one, one, two, one], [one, one, one, two]]) try { phases.linkRequests(given); console.log('fits'); } catch (x) { console.log(x.code, x.message); }
  try { phases.instantiate(); } catch (x) { console.log(x.name, x.code, x.message); }
  const asks = { async importModuleDynamically(name, _, attributes, phase) { console.log(name, phase); return name === 'wasm' ? new WebAssembly.Module(Buffer.from('0061736d01000000', 'hex')) : one; } };
  for (const text of ['import.source("one")', 'import.source("wasm")', 'import("one")']) try { console.log(Object.prototype.toString.call(await vm.runInThisContext(text, asks))); } catch (x) { console.log(x.name, x.code, x.message); }
})();
