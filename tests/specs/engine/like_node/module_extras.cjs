// What node:module offers besides Module.
process.removeAllListeners("warning"); // Node warns that some of it is new
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
