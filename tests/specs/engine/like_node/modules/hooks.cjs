// Module loader hooks: their arguments, their order, and the effect of their results.
const fs = require('node:fs');
fs.writeFileSync('dep.cjs', 'module.exports="DEP"');
fs.writeFileSync('dep2.cjs', 'module.exports=2');
fs.writeFileSync('e2.mjs', 'export default "e2"');
fs.writeFileSync('x.json', '{"a":3}');
fs.writeFileSync('t.ts', 'const x: number = 5; console.log("ts", x); export {}');
fs.writeFileSync('e.mjs', 'import d from "./dep2.cjs"; import fs from "node:fs"; import "./t.ts"; import j from "./x.json" with {type:"json"}; export default [d,typeof fs.readFileSync,j.a];');
fs.writeFileSync('bad4.js', '1');
fs.writeFileSync('bad5.js', '1');
fs.writeFileSync('bad6.js', '1');
const m = require('node:module'); const {pathToFileURL:u}=require('url');
const log=(...a)=>console.log(...a.map(x=>typeof x==='string'?x.replaceAll(u(process.cwd()).href,'<D>').replaceAll(process.cwd(),'<d>'):x));
const t=(n,f)=>{try{log(n,require('util').inspect(f()))}catch(e){log(n,e.name,e.code,e.message.split('\n')[0])}};
const h=m.registerHooks({
 resolve(s,c,n){ log('R1',s,Object.keys(c).join(),String(c.parentURL),JSON.stringify(c.importAttributes),c.conditions.join()); if(s==='virtual:a')return {url:'virtual:a',format:'module',shortCircuit:true}; if(s==='virtual:b')return {url:'virtual:b',format:'module',shortCircuit:true};if(s==='virtual:c')return {url:'virtual:c',format:'commonjs',shortCircuit:true};if(s==='virtual:j')return {url:'virtual:j',format:'json',shortCircuit:true};if(s==='bad1') return {url:'x:y'}; if(s==='bad2')return 5; if(s==='bad3') return {url:5,shortCircuit:true}; const r=n(s,c); log('R1 got',JSON.stringify(r)); return r;},
 load(s,c,n){ log('L1',s,Object.keys(c).join(),String(c.format),JSON.stringify(c.importAttributes)); if(s==='virtual:a'||s==='virtual:b')return {source:'export default 1; export const b=typeof import.meta.url',format:'module',shortCircuit:true}; if(s==='virtual:c')return{source:'module.exports={q:typeof require,f:__filename}',format:'commonjs',shortCircuit:true}; if(s==='virtual:j')return{source:'{"a":1}',format:'json',shortCircuit:true}; if(s.endsWith('bad4.js'))return {source:'x'}; if(s.endsWith('bad5.js'))return {source:5,format:'commonjs',shortCircuit:true};if(s.endsWith('bad6.js'))return {source:'1',format:'zz',shortCircuit:true}; const r=n(s,c); log('L1 got',Object.keys(r).join(),r.format,r.source===null?'null':r.source?.constructor?.name); if(s.endsWith('dep.cjs')) return {...r,source:String(r.source).replace('DEP','HOOKED')}; return r;},
});
t('h',()=>[Object.keys(h),h.constructor.name]);
t('dep',()=>require('./dep.cjs')); t('again',()=>require('./dep.cjs'));
t('fs',()=>require('fs')===require('node:fs'));
t('vc',()=>require('virtual:c')); t('va',()=>require('virtual:a').default); t('vj',()=>require('virtual:j'));
for (const b of ['bad1','bad2','bad3','./bad4.js','./bad5.js','./bad6.js','./nothere']) t(b,()=>require(b));
t('json',()=>require('./x.json'));
t('resolve',()=>require.resolve('./dep.cjs'));
const h2=m.registerHooks({resolve(s,c,n){log('R2',s); return n(s.replace('alias','dep'),{...c,extra:1});},load(s,c,n){log('L2',s.slice(-7));return n(s,c)}});
t('alias',()=>{delete require.cache[require.resolve('./dep.cjs')]; return require('./alias.cjs')});
h2.deregister();
(async()=>{
 const a=await import('virtual:b'); log('imp',a.default,a.b);
 log(JSON.stringify(await import('./e.mjs'))); log(JSON.stringify((await import('./dep.cjs')).default)); 
 try{await import('bad1')}catch(e){log(e.name,e.code,e.message.split('\n')[0])}
 try{await import('./nothere.mjs')}catch(e){log(e.name,e.code)}
 h.deregister(); log('after',(await import('./e2.mjs')).default);
 fs.writeFileSync('unread.cjs','exports.left = 1'); const h3=m.registerHooks({load:(s,c,n)=>s.endsWith('unread.cjs')?{format:'commonjs',source:undefined,shortCircuit:true}:n(s,c)}); log((await import('./unread.cjs')).left); h3.deregister();
 for(const a of [[],[5],[{resolve:1}],[{load:'x'}],[{}]]) t('rh',()=>Object.keys(m.registerHooks(...a)));
})();
