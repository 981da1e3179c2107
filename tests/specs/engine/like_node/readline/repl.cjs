// The REPL with scripted input: its output for each line, its commands, its context.
const repl=require('node:repl'); const {PassThrough}=require('stream'); const util=require('util');
function run(lines, options={}, after=()=>{}) { return new Promise((resolve)=>{ const input=new PassThrough(), output=new PassThrough(); let text=''; output.on('data',d=>text+=d);
 const r=repl.start({input,output,prompt:'> ',terminal:false,...options}); after(r); r.on('exit',()=>{ console.log('---\n'+text.replace(/\n    at .*/g,'\n    at X')); resolve(r);}); input.end(lines.join('\n')+'\n'); }); }
(async()=>{
 console.log(Object.keys(repl).join(), repl.REPL_MODE_SLOPPY, repl.REPL_MODE_STRICT, repl.start.length, repl.writer.length, Object.keys(repl.writer.options).join(), repl.isValidSyntax('1+1'), repl.isValidSyntax('{a'), repl.isValidSyntax('a b'));
 let r=await run(['1+1','_','_+1','let a=1','a','const b={x:[1,2,{y:3}],s:"q"}','b','"str"','undefined','null','function f() {','return 5','}','f()','throw new Error("boom")','_error.message','nope','({','a: 1','})','{a:2}','[1,','2]','`x','y`','for (let i=0;i<2;i++) {','[i]','}','a b','class Q { m() {','}}','new Q','.help','.foo','.break','if (true) {','.break','2','.clear','typeof a','.exit']);
 if (false) console.log(Object.keys(r).filter(k=>!k.startsWith('_')&&!/^(line|cursor|history|input|output|terminal|crlf|escape|tab|prompt|close|isComp|remove|domain|saw)/.test(k)).sort().join());
 await run(['x','global.y=5','y','x=9','x','require("path").sep','module.id','typeof __filename','1;','// c','','  ','fs.constants.F_OK','throw 5','"use strict"; zz=1','zz','delete zz'],{useGlobal:false},(r)=>{r.context.x='ctx';});
 await run(['1','2'],{eval:(cmd,ctx,file,cb)=>cb(null,'E:'+cmd.trim()+/^REPL\d+$/.test(file))});
 await run(['1','2'],{eval:(cmd,ctx,file,cb)=>cb(new repl.Recoverable(new SyntaxError('x')))});
 await run(['1','undefined','({})'],{writer:(v)=>'W:'+util.inspect(v),ignoreUndefined:true});
 await run(['.say hi there','.say','.help','.ret'],{},(r)=>{r.defineCommand('say',{help:'Says',action(t){this.clearBufferedCommand();this.output.write('said '+t+'\n');this.displayPrompt();}}); r.defineCommand('ret',function(){this.close()})});
 await run(['x=1','"use strict"'],{replMode:repl.REPL_MODE_STRICT});
 await run(['.load lf.js','q1','.save sv.js','1','.load nothere','.load'],{},()=>require('fs').writeFileSync('lf.js','var q1 = 7;\nq1 + 1\n'));
 console.log(require('fs').readFileSync('sv.js','utf8'));
 await new Promise((res)=>{const r=repl.start({input:new PassThrough(),output:new PassThrough(),prompt:'',terminal:false}); let n=0; const done=()=>{if(++n===5){r.close();res();}}; for (const c of ['globalThis.proc','Math.ab','','.h','a.b.']) r.complete(c,(e,d)=>{console.log(c,JSON.stringify(e),JSON.stringify(d&&[d[0].slice(0,1),d[1],d[0].length>100]));done();}); });
 for (const a of [[{eval:1}],['pp '],[{breakEvalOnSigint:true,eval(){}}]]) try{ const r=repl.start(...a.map(x=>typeof x==='object'?{input:new PassThrough(),output:new PassThrough(),...x}:x)); console.log('prompt',r.getPrompt()); r.close(); }catch(e){console.log(e.name,e.code,e.message)}

 for (const lines of [['await 5','await Promise.resolve({a:1})','const z = await 3','z'],['let {p, q: [r]} = await Promise.resolve({p: 1, q: [2]})','p + r'],['async function w() { return 7 }','await w()','await (','w())'],['for (const x of [1]) await x','await Promise.reject(new Error("no"))','if (await true) { 1 }']]) {
  const input=new PassThrough(), output=new PassThrough(); let text='';
  const r=repl.start({input,output,prompt:'> ',terminal:false});
  const next=()=>{ const line=lines.shift(); if(line===undefined) r.close(); else input.write(line+'\n'); };
  output.on('data',d=>{text+=d; if(/[>|] $/.test(String(d))) setImmediate(next);});
  await new Promise((res)=>r.on('exit',res)); console.log(text.replace(/\n    at .*/g,''));
 }
})();
