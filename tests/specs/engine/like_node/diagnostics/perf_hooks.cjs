// Marks, measures, observers, timerify and histograms; times are printed as N.
const L=(...a)=>process.stdout.write(require("util").format(...a).replace(/\d+\.\d+/g,"N")+"\n");const p=require('perf_hooks');const u=require('util');
for (const k of Object.keys(p)) L(k, typeof p[k], p[k]?.name, p[k]?.length, Object.getOwnPropertyDescriptor(p, k).writable);
const perf=p.performance;L(perf===globalThis.performance);

L(Object.keys(perf.toJSON()), Object.keys(perf.nodeTiming.toJSON()), perf.eventLoopUtilization());
L(perf.mark('a',{detail:{x:1}}),perf.measure('m','a'),perf.getEntries());
L(u.inspect(p.createHistogram()));
const t=(f)=>{try{L(f())}catch(e){L(e.name,e.code,e.message)}};
t(()=>perf.mark());t(()=>perf.mark('x',{startTime:-1}));t(()=>perf.mark('x',{startTime:'a'}));t(()=>perf.measure('y','nope'));t(()=>perf.measure('y',{start:1,end:2,duration:3}));t(()=>perf.measure('y',{}));t(()=>perf.measure('y',{start:1}));t(()=>perf.measure('z',{start:1,duration:5,detail:1}));t(()=>perf.measure('q',{end:9,duration:5}));t(()=>perf.measure('q','a','a'));t(()=>perf.mark('nodeStart'));t(()=>perf.measure('w','nodeStart','bootstrapComplete').duration>0);perf.clearMeasures('w');
t(()=>new p.PerformanceEntry());t(()=>new p.PerformanceMark('k',{startTime:3}));t(()=>new p.PerformanceMeasure());t(()=>new p.PerformanceObserver());t(()=>new p.PerformanceObserver(()=>{}));t(()=>new p.PerformanceObserver(()=>{}).observe());t(()=>new p.PerformanceObserver(()=>{}).observe({}));t(()=>new p.PerformanceObserver(()=>{}).observe({entryTypes:['a'],type:'b'}));t(()=>new p.PerformanceObserver(()=>{}).observe({entryTypes:5}));t(()=>new p.PerformanceObserver(()=>{}).observe({type:5}));
t(()=>p.PerformanceObserver.supportedEntryTypes);t(()=>new globalThis.Performance());t(()=>perf.timerify(5));t(()=>{const f=perf.timerify(function foo(a,b){});return [f.name,f.length]});
t(()=>perf.clearMarks('a'));t(()=>perf.getEntriesByName('m').length);t(()=>perf.getEntriesByName());t(()=>perf.getEntriesByType('measure'));t(()=>perf.setResourceTimingBufferSize(5));t(()=>p.monitorEventLoopDelay({resolution:0}));t(()=>p.monitorEventLoopDelay(5));
const h=p.createHistogram();t(()=>h.record(0));t(()=>h.record(5.5));t(()=>h.record('a'));h.record(5);h.record(10);h.record(1000000);L(h, h.percentile(50),h.percentiles,h.percentilesBigInt,h.countBigInt,h.toJSON());t(()=>h.percentile(0));t(()=>h.percentile('a'));t(()=>h.recordDelta());t(()=>h.add(5));t(()=>p.createHistogram({lowest:0}));t(()=>p.createHistogram({lowest:5,highest:6}));t(()=>p.createHistogram({figures:9}));
const m=p.monitorEventLoopDelay();t(()=>m.enable());t(()=>m.enable());t(()=>m.disable());t(()=>m.disable());L(m.constructor.name);
const o=new p.PerformanceObserver((list,ob,opt)=>{L('obs',list,list.getEntries(),list.getEntriesByName('ob'),ob===o,opt)});o.observe({entryTypes:['mark','function']});perf.mark('ob');L(o.takeRecords().length);perf.mark('ob2');perf.timerify(function tf(a){return a})(5);L(o);
setTimeout(()=>{o.disconnect();const o2=new p.PerformanceObserver(l=>{L('buf',l.getEntries().map(e=>e.name));o2.disconnect()});o2.observe({type:'mark',buffered:true});},20);
L(u.inspect(perf,{depth:0}).split('\n').slice(0,6).join('\n'));
console.log(require('util').inspect(require('perf_hooks').createHistogram(), { depth: -1 }));
