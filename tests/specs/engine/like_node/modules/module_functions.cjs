// The functions of node:module besides Module.
process.removeAllListeners("warning"); // Node warns that some of these are experimental
const m=require('module');const L=(...a)=>process.stdout.write(require('util').format(...a)+'\n');
const t=f=>{try{L(f())}catch(e){L(e.name,e.code,e.message.split('.')[0])}};
for(const k of ['findPackageJSON','stripTypeScriptTypes','SourceMap','setSourceMapsSupport','register','registerHooks','constants'])L(k,m[k].length,m[k].name);
t(()=>m.findPackageJSON());t(()=>m.findPackageJSON('nope','/tmp/a.js'));t(()=>m.stripTypeScriptTypes(5));t(()=>m.stripTypeScriptTypes('enum A {B}'));t(()=>m.stripTypeScriptTypes('let x = 5',{mode:'x'}));
t(()=>eval(m.stripTypeScriptTypes('const a: number = 1; type X = 5; a as number')));
t(()=>new m.SourceMap());t(()=>new m.SourceMap({version:3,sources:['a.ts'],names:[],mappings:'AAAA;AACA'}).findEntry(1,0));t(()=>new m.SourceMap({version:3,sources:['a.ts'],names:[],mappings:'AAAA;AACA'}).findOrigin(2,1));t(()=>m.findSourceMap('x'));
require('fs').writeFileSync('package.json','{}');t(()=>m.findPackageJSON('..',__dirname+'/x/a.js')===__dirname+'/package.json');
t(()=>m.constants);
for(const base of [null,{},[],true,1,()=>{},{href:'file:///a'}])t(()=>m.findPackageJSON('',base));t(()=>m.findPackageJSON(Symbol('x'),__filename));
t(()=>[m._stat(__dirname),m._stat(__filename),m._stat(__filename+'none')<0]);
t(()=>{m.wrapper={...m.wrapper,0:m.wrapper[0]+'globalThis.wrapped = true;'};require('fs').writeFileSync('wrapped.cjs','');require('./wrapped.cjs');return [typeof m.wrapper[1],globalThis.wrapped]});
t(()=>{const own=process.mainModule;process.mainModule={filename:'other'};return [own===module,process.mainModule.filename,require.main===module]});

// Custom conditions for a single resolution, as vitest uses them.
const fs = require('fs'), path = require('path'), Module = m;
const conditional = fs.mkdtempSync(path.join(__dirname, 'conditions-'));
fs.mkdirSync(path.join(conditional, 'node_modules/p'), { recursive: true });
fs.writeFileSync(path.join(conditional, 'node_modules/p/package.json'), JSON.stringify({ exports: { own: './own.js', import: './import.mjs', require: './require.js', default: './default.js' } }));
for (const name of ['own.js', 'import.mjs', 'require.js', 'default.js']) fs.writeFileSync(path.join(conditional, 'node_modules/p', name), '');
const from = Module.createRequire(path.join(conditional, 'x.js'));
const parent = { id: 'x', filename: path.join(conditional, 'x.js'), paths: Module._nodeModulePaths(conditional) };
for (const conditions of [undefined, new Set(['own']), new Set(['import', 'other']), new Set(['node', 'require', 'module-sync']), 'own', { own: true }]) {
  const ask = [() => Module._resolveFilename('p', parent, false, { conditions }), () => from.resolve('p', { conditions }), () => from.resolve('p', { paths: [conditional], conditions })];
  for (const each of ask) try { L(path.basename(each())); } catch (error) { L(error.name, error.message); }
}
fs.rmSync(conditional, { recursive: true });
