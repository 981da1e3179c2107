// The messages of failed assertions, for every kind of `message` argument.
import { inspect } from 'node:util';
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
import assert from 'node:assert';
const t=(f)=>{try{f();log('ok')}catch(e){log(`${e?.name}`,`${e?.code}`,JSON.stringify(String(e?.message).split('\n    at')[0]),e?.generatedMessage,e?.operator,e?.diff)}};
for (const m of [[],[undefined],[null],[undefined,1],['a %s','b'],['x'],['',1], [new Error('q')],[new Error('q'),1],[()=>'made'],[()=>3],[()=>{throw 1}],[()=>'a',1],[3],[function nm(){},2],[{}],['%d %j',3,{a:1}]]) {
 for (const [n,...a] of [['equal',1,2],['deepEqual',[1],[2]],['notStrictEqual',1,1],['match','a',/b/],['doesNotMatch','b',/b/],['match',3,/b/],['partialDeepStrictEqual',{a:1},{a:2}]]) {log(n,m.length,typeof m[0]); t(()=>assert[n](...a,...m));}
 log('ok',m.length); t(()=>assert.ok(0,...m)); t(()=>assert(0,...m)); t(()=>assert.fail(...m));
 t(()=>assert.throws(()=>{},...m));
 t(()=>assert.throws(()=>{throw new Error('z')},{message:'y'},...m));
 t(()=>assert.throws(()=>{throw new Error('z')},/y/,...m));
 t(()=>assert.doesNotThrow(()=>{throw new Error('z')},...m));
 t(()=>assert.ifError(...m));
}
