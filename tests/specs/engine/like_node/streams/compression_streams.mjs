// CompressionStream and DecompressionStream: formats, corrupt data, chunks that are not bytes.
const from=(...p)=>ReadableStream.from(p.map(x=>Buffer.from(x)));const log=(...a)=>process.stdout.write(a.map(x=>typeof x==='string'?x:inspect(x,{depth:0})).join(' ')+'\n');import {inspect} from 'util';
for (const f of ['gzip','deflate','deflate-raw','brotli','xx',undefined,5]) { try { const c=new CompressionStream(f); log(f,inspect(c)); } catch(e){log(f,e.name,e.code,e.message)} try { new DecompressionStream(f) } catch(e){log(f,e.name,e.code,e.message)} }
try{CompressionStream('gzip')}catch(e){log(e.message,e.code)}
try{new CompressionStream()}catch(e){log(e.message,e.code)}
log(Object.getOwnPropertyDescriptor(CompressionStream.prototype,'readable'),CompressionStream.length,Object.prototype.toString.call(new CompressionStream('gzip')));
const all=async(s)=>{const p=[];for await(const c of s)p.push(c);return Buffer.concat(p)};
const text='hello '.repeat(1000);
for (const f of ['gzip','deflate','deflate-raw','brotli']) {
 const c=await all(from(text).pipeThrough(new CompressionStream(f)));
 const first=(await from(text).pipeThrough(new CompressionStream(f)).getReader().read()).value; log(first?.constructor?.name);
 const d=await all(from(c).pipeThrough(new DecompressionStream(f))); log(f,c.length,d.toString()===text);
 try { await all(from(c.subarray(0,20)).pipeThrough(new DecompressionStream(f))) } catch(e){log('cut',e.name,e.code,e.message,e.cause?.message,e.cause?.errno,e.cause?.code)}
 try { await all(from('garbage garbage').pipeThrough(new DecompressionStream(f))) } catch(e){log('garbage',e.name,e.code,e.message,e.cause?.message,e.cause?.errno,e.cause?.code)}
 try { await all(from(c,'junk').pipeThrough(new DecompressionStream(f))) } catch(e){log('junk',e.name,e.code,e.message,e.cause?.message,e.cause?.errno,e.cause?.code)}
}
const c=new CompressionStream('gzip');const w=c.writable.getWriter();
for (const v of [5,'x',null,{},new SharedArrayBuffer(4),new Uint8Array(new SharedArrayBuffer(4))]) { const c=new CompressionStream('gzip');c.readable.getReader().read().catch(()=>{}); const w=c.writable.getWriter();w.closed.catch(()=>{}); await w.write(v).then(()=>log('ok',typeof v),e=>log('write',typeof v,e.name,e.code,e.message)); }
try { CompressionStream.prototype.readable } catch(e){log(e.name,e.code,e.message)}
