// Listener limits of emitters and EventTargets, MIMEType.parse, ReadableStreamTee, members of Worker and of class
// Assert.
const { inspect } = require('node:util');
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const ev=require('events');
process.on('warning',(w)=>log('W',w.name,w.message,w.count,w.type));
const t=new EventTarget();log(t[ev.kMaxEventTargetListeners],t[ev.kMaxEventTargetListenersWarned],String(ev.kMaxEventTargetListeners));
for(let i=0;i<12;i++)t.addEventListener('x',()=>{});
log(t[ev.kMaxEventTargetListenersWarned]);
ev.setMaxListeners(2,t);log(ev.getMaxListeners(t),t[ev.kMaxEventTargetListenersWarned]);t.addEventListener('y',()=>{});t.addEventListener('y',()=>{});t.addEventListener('y',()=>{});t.addEventListener('z',()=>{});t.addEventListener('z',()=>{});t.addEventListener('z',()=>{});
const a=new AbortController().signal;log(a[ev.kMaxEventTargetListeners],ev.getMaxListeners(a));for(let i=0;i<20;i++)a.addEventListener('abort',()=>{});
a[ev.kMaxEventTargetListeners]=3;a.addEventListener('abort',()=>{});
const {port1}=new MessageChannel();log(port1.getMaxListeners());port1.setMaxListeners(5);log(port1.getMaxListeners());port1.on('q',()=>{});port1.close();
for(const f of [()=>ev.setMaxListeners(1,{}),()=>ev.getMaxListeners({}),()=>ev.setMaxListeners(-1),()=>port1.setMaxListeners('x')])try{f()}catch(e){log(e.code,e.message)}
ev.defaultMaxListeners=3;const u=new EventTarget();log(ev.getMaxListeners(u));for(let i=0;i<4;i++)u.addEventListener('x',()=>{});
const {MIMEType}=require('util');log(String(MIMEType.parse('text/html; a=b')),MIMEType.parse('x'),MIMEType.parse(''),MIMEType.parse('a/'),MIMEType.parse.length,Object.getOwnPropertyDescriptor(MIMEType,'parse').enumerable);try{MIMEType.parse(Symbol())}catch(e){log(e.name)}
const {ReadableStreamTee}=require('stream/web');
for(const args of [[{}],[new ReadableStream(),1]])try{ReadableStreamTee(...args)}catch(e){log(e.code,e.message)}
(async()=>{for(const clone of [undefined,false,true]){const o={a:1};const [x,y]=ReadableStreamTee(new ReadableStream({start(c){c.enqueue(o);c.close()}}),clone);const p=(await x.getReader().read()).value,q=(await y.getReader().read()).value;log(clone,p===o,q===o,q)}
const {Worker}=require('worker_threads');const w=new Worker('1',{eval:true,stdin:true});log(Object.keys(w).includes('stdin'),typeof w.stdin,typeof w.stdout,w.threadId);w.on('exit',()=>log(w.threadId, w.stdin&&1,Object.getOwnPropertyDescriptor(Worker.prototype,'threadId').set));
const {Assert}=require('assert');const as=new Assert({skipPrototype:true});log(Object.keys(as),Object.keys(Assert.prototype).join());class A{x=1};as.deepStrictEqual(new A,{x:1});const {deepStrictEqual}=as;try{deepStrictEqual(new A,{x:1})}catch(e){log(e.code)}
try{new Assert({diff:'full'}).strictEqual(1,2)}catch(e){log(e.diff)}try{new Assert({diff:'x'})}catch(e){log(e.message)}try{Assert()}catch(e){log(e.message)}try{new Assert({strict:false}).equal(1,'1');log('loose')}catch(e){log(e)}log(new Assert({strict:false}).equal===require('assert').equal, require('assert').strict.Assert===Assert);
})();
