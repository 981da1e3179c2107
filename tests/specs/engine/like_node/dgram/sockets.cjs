// UDP sockets: every call with every signature. Arrival order is not defined, so lines are printed in alphabetical
// order.
const dgram=require('dgram');
const lines=[]; const log=(...a)=>lines.push(a.join(' '));
process.on('exit',()=>{ for (const line of lines.sort()) console.log(line); });
const t=(n,f)=>{try{const v=f();log(n,v===undefined?'undefined':typeof v==='object'?v.constructor.name:v)}catch(e){log(n,e.name,e.code,e.message)}};
for (const name of Object.getOwnPropertyNames(dgram.Socket.prototype)) log(name, dgram.Socket.prototype[name].length);
for(const a of [[],['udp5'],[{type:'tcp'}],[5],['udp4',5],[{type:'udp4',recvBufferSize:'x'}],[{type:'udp4',lookup:5}],[{type:'udp4',signal:5}]]) t('create '+JSON.stringify(a),()=>dgram.createSocket(...a));
const s=dgram.createSocket('udp4');
t('addr',()=>s.address()); t('ttl',()=>s.setTTL(5)); t('bcast',()=>s.setBroadcast(true)); t('rbuf',()=>s.getRecvBufferSize());
t('send0',()=>s.send()); t('send1',()=>s.send('a')); t('send2',()=>s.send('a',99999)); t('send3',()=>s.send(5,1)); t('send4',()=>s.send('a',0,5,1000,'127.0.0.1'));t('send6',()=>s.send([5],1));t('send7',()=>s.send('a',0)); t('send8',()=>s.send('a',1000,5)); t('send9',()=>s.send('a',1000,'127.0.0.1',5));
t('rem',()=>s.remoteAddress()); t('disc',()=>s.disconnect()); t('conn',()=>s.connect(0)); 
s.on('listening',()=>log('listening',s.address().address,s.address().family));
s.on('error',e=>log('err',e.code,e.message));
s.on('message',(m,r)=>{log('msg',m.toString(),r.address,r.family,r.size,Object.keys(r).join());});
s.on('close',()=>log('close'));
const ret=s.bind(0,'127.0.0.1',()=>{
 log('bound cb'); t('bind2',()=>s.bind(0));
 t('ttl',()=>s.setTTL(5)); t('ttl0',()=>s.setTTL(0)); t('ttlx',()=>s.setTTL('x')); t('mttl',()=>s.setMulticastTTL(3)); t('mttl',()=>s.setMulticastTTL(300)); t('ml',()=>s.setMulticastLoopback(true)); t('b',()=>s.setBroadcast(true)); t('mi',()=>s.setMulticastInterface('127.0.0.1')); t('mi',()=>s.setMulticastInterface('x')); t('mi',()=>s.setMulticastInterface(5));
 t('am',()=>s.addMembership('224.0.0.114','127.0.0.1')); t('am2',()=>s.addMembership('nope')); t('am3',()=>s.addMembership()); t('dm',()=>s.dropMembership('224.0.0.114','127.0.0.1')); t('dm2',()=>s.dropMembership('224.0.0.115')); t('asm',()=>s.addSourceSpecificMembership(5)); 
 t('sb',()=>s.setRecvBufferSize(10000)); t('gb',()=>s.getRecvBufferSize()); t('ss',()=>s.setSendBufferSize(10000)); t('gs',()=>s.getSendBufferSize()); t('sbx',()=>s.setSendBufferSize(-1)); t('q',()=>s.getSendQueueSize()); t('qc',()=>s.getSendQueueCount());
 t('ref',()=>s.ref()===s); t('unref',()=>s.unref()===s); s.ref();
 const p=s.address().port; const c=dgram.createSocket({type:'udp4'});
 c.send('hello',p,'127.0.0.1',(e,n)=>{log('sent',e,n);
  c.send([Buffer.from('ab'),'cd',new Uint8Array([101])],p,(e,n)=>{log('sent2',e,n);
   c.send(Buffer.from('abcdef'),1,3,p,'localhost',(e,n)=>{log('sent3',e,n);
    c.send('',p,(e,n)=>{log('sent4',e,n);
    c.send('x',p,'no.such.host.invalid',(e)=>{log('sent5',e.code,e.syscall,e.hostname);
     c.connect(p,'127.0.0.1',(e)=>{log('connected',e,c.remoteAddress().address,c.remoteAddress().port===p); t('again',()=>c.connect(p)); t('addr',()=>c.send('x',p,'127.0.0.1')); 
      c.send('viaconn',(e,n)=>{log('sent6',e,n); c.send(Buffer.from('012345'),2,2,(e,n)=>{log('sent7',e,n); c.disconnect(); t('rem',()=>c.remoteAddress()); c.close(()=>{log('c closed'); t('closed',()=>c.close()); t('closedsend',()=>c.send('a',1)); 
        const big=dgram.createSocket('udp4'); big.send(Buffer.alloc(70000),p,'127.0.0.1',(e)=>{log('big',e.code,e.syscall,e.message.replace(p,'P'),e.address,e.port===p); big.close();
        const r=dgram.createSocket('udp4'); r.on('error',e=>{log('inuse',e.code,e.syscall,e.message.replace(p,'P'),e.address); r.close(); 
          const six=dgram.createSocket('udp6'); six.on('message',(m,r)=>{log('six',m.toString(),r.address,r.family); six.close(); s.close(); setImmediate(last);}); six.bind(0,'::1',()=>six.send('v6',six.address().port,'::1')); }); r.bind(p,'127.0.0.1'); });
      }); }); }); }); }); }); }); }); });
});
log('ret',ret===s);
function last(){ const ac=new AbortController(); const a=dgram.createSocket({type:'udp4',signal:ac.signal}); a.on('close',()=>{log('aborted close'); (async()=>{ const d=dgram.createSocket('udp4'); d.on('close',()=>log('d close')); await d[Symbol.asyncDispose](); log('disposed'); 
 const re=dgram.createSocket({type:'udp4',reuseAddr:true}), re2=dgram.createSocket({type:'udp4',reuseAddr:true}); re.bind(0,()=>{ re2.bind(re.address().port,()=>{log('reused',re.address().address); re.close(); re2.close(); 
 const x=dgram.createSocket('udp4',(m)=>{log('cb msg',String(m)); x.close();}); x.bind({port:0,address:'127.0.0.1',exclusive:true},()=>{x.send('1',x.address().port)}); t('sync',()=>{const y=dgram.createSocket('udp4'); const z=y.bindSync({port:0,address:'127.0.0.1'}); log(z===y,z===undefined,typeof y.address().port); y.close();}); }) }); })(); }); a.bind(0,()=>ac.abort()); }
