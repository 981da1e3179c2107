// Requests on the performance timeline, and the console as seen by debugger front ends.
const { inspect } = require('node:util');
const log = (...values) => process.stdout.write(`${values.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const {performance:p,PerformanceResourceTiming:R,PerformanceEntry:E}=require('perf_hooks');
const info={startTime:1,redirectStartTime:2,redirectEndTime:3,postRedirectStartTime:4,finalServiceWorkerStartTime:5,finalNetworkRequestStartTime:6,finalNetworkResponseStartTime:7,endTime:9,encodedBodySize:10,decodedBodySize:11,finalConnectionTimingInfo:{domainLookupStartTime:1,domainLookupEndTime:2,connectionStartTime:3,connectionEndTime:4,secureConnectionStartTime:5,ALPNNegotiatedProtocol:'h2'}};
for (const more of [{},{firstInterimNetworkResponseStartTime:6.5,renderBlocking:true}]) for (const body of [undefined,{contentType:'text/x',contentEncoding:'gzip'}]) for (const mode of ['','local']) for (const d of [[],[''],['cache']]) {
 const e=p.markResourceTiming({...info,...more},'http://x/','fetch',globalThis,mode,body,200,...d); log(JSON.stringify(e.toJSON()));
}
const e=p.markResourceTiming(info,'http://x/','fetch',globalThis,'',{},200);log(e);
for (const k of Reflect.ownKeys(R.prototype).map(String).sort()) { const d=Object.getOwnPropertyDescriptor(R.prototype,k) ?? {}; let err=''; if(d.get) try{d.get.call({})}catch(x){err=x.code+x.message} log(k,d.enumerable,d.get?.name,err); try{R.prototype[k]}catch(x){log(x.message)} }
try{e.toJSON.call({})}catch(x){log(x.message)}
log(console.context, console.createTask, console.context.length, console.createTask.length);
const c=console.context('x'); log(Object.keys(c), typeof c.log); try{log(console.createTask('n').run(()=>3), console.createTask('n'))}catch(e){log(e)}
for (const f of [()=>console.createTask(),()=>console.createTask(''),()=>console.createTask(3),()=>console.createTask('x').run(),()=>console.createTask('x').run(3),()=>console.createTask('x').run(()=>{throw 4})]) try{log(f())}catch(e){log(String(e))}
log(Object.getOwnPropertyDescriptor(console,'context'),Object.getOwnPropertyDescriptor(console,'createTask'));
log(console.createTask('q').run(function(){return [this===undefined||this===globalThis,arguments.length]}))
log(Object.getPrototypeOf(console.createTask('x')), Object.getOwnPropertyNames(console.createTask('x')));
c.log('quiet'); console.context('a').error('e'); log(console.context().constructor.name, Object.prototype.toString.call(console.context('r')))

