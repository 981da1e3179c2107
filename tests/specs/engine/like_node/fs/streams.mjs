// Streams of files and of FileHandles.
import fs from 'node:fs'; import { once } from 'node:events'; import { pipeline } from 'node:stream/promises';
const w = fs.createWriteStream("big.txt");
w.on('open', (fd)=>console.log('open', typeof fd)).on('ready',()=>console.log('ready')).on('finish',()=>console.log('finish')).on('close',()=>console.log('close'));
for (let i = 0; i < 5000; i++) if (!w.write(`line ${i} ${"x".repeat(20)}\n`)) await once(w, "drain");
w.end("last"); await once(w, "finish");
console.log(w.bytesWritten, fs.statSync("big.txt").size, w.path);
let n = 0, chunks = 0;
for await (const c of fs.createReadStream("big.txt")) { n += c.length; chunks++; }
console.log(n, chunks > 1);
let part = ""; for await (const c of fs.createReadStream("big.txt", { encoding: "utf8", start: 5, end: 9 })) part += c;
console.log(JSON.stringify(part));
fs.createReadStream("missing").on("error", (e) => console.log(e.code, e.message)).on("close", () => console.log("closed"));
await pipeline(fs.createReadStream('big.txt'), fs.createWriteStream('copy.txt'));
console.log(fs.readFileSync('big.txt').equals(fs.readFileSync('copy.txt')));
const h = await fs.promises.open('big.txt'); let k=0; for await (const c of h.createReadStream({end: 20})) k+=c.length; console.log(k, h.fd);
const h2 = await fs.promises.open('copy.txt','r+'); const ws=h2.createWriteStream({start: 3}); ws.end('XYZ'); await once(ws,'close'); console.log(fs.readFileSync('copy.txt','utf8').slice(0,10));
for (const bad of [()=>fs.createReadStream(1), ()=>fs.createReadStream('x',{start:5,end:2}), ()=>fs.createReadStream('x',{start:'a'}), ()=>fs.createReadStream('x', {fs:{}}), ()=>fs.createWriteStream('x',{start:-1}), ()=>fs.createReadStream('x',{encoding:'none'})]) try { bad(); console.log('ok') } catch (e) { console.log(e.name, e.code, e.message) }
const rs = fs.createReadStream('big.txt'); rs.close((e)=>console.log('closed cb', e?.code)); 
const a = fs.createWriteStream('copy.txt',{flags:'a', encoding:'latin1'}); a.write('é'); a.close(()=>console.log('closed a', fs.statSync('copy.txt').size, a.closed, a.pending));
fs.createWriteStream('/none/x').on('error',e=>console.log(e.message)).on('close',()=>console.log('c2'));
console.log(fs.ReadStream('big.txt').destroy() instanceof fs.ReadStream);
for (const place of ['big.txt', new URL('big.txt', import.meta.url), Buffer.from('big.txt')]) {
  const stream = fs.createReadStream(place);
  console.log(typeof stream.path, `${stream.path}`.endsWith('big.txt'), Buffer.isBuffer(stream.path));
  stream.destroy();
}
