// TLS between a server and clients: trust, names, ALPN, failures on both sides, and certificate details.
const { ca, cert, key } = require('../tls_identity.cjs');
const tls=require('tls');const {inspect}=require('util');
const log=(...a)=>process.stdout.write(a.map(x=>typeof x=='string'?x:inspect(x,{depth:4})).join(' ')+'\n');
const server=tls.createServer({key,cert,ca,ALPNProtocols:['h2','http/1.1'],requestCert:true,rejectUnauthorized:false},(s)=>{log('server secure',s.authorized,s.authorizationError,s.alpnProtocol,s.servername,s.getProtocol());s.on('data',d=>{s.write('echo '+d)});s.on('end',()=>{log('server end');s.end()});s.on('close',()=>log('server close'))});
server.on('tlsClientError',(e)=>log('tlsClientError',e.code));
server.listen(0,()=>{
 const c=tls.connect({port:server.address().port,host:'127.0.0.1',ca,servername:'server.test',checkServerIdentity(){},ALPNProtocols:['http/1.1']},()=>{
  log('client secure',c.authorized,c.alpnProtocol,c.getProtocol(),c.getCipher(),c.getEphemeralKeyInfo());
  const p=c.getPeerCertificate();log(p);
  log(c.getPeerX509Certificate());
  c.write('hello');
 });
 c.on('data',(d)=>{log('client data',String(d));c.end()});
 c.on('session',()=>{});
 c.on('close',()=>{log('client close');second()});
});
function second(){
 const c=tls.connect({port:server.address().port});
 c.on('error',(e)=>{log('second',e.code,e.message,e.name);third()});
}
function third(){
 const c=tls.connect({port:server.address().port,rejectUnauthorized:false},()=>{log('third',c.authorized,c.authorizationError);c.end()});
 c.on('close',()=>fourth());c.resume();
}
function fourth(){
 const c=tls.connect({port:server.address().port,ca,host:'localhost'});
 c.on('error',(e)=>{log('fourth',e.code,e.message,e.reason,e.host);fifth()});
}
function fifth(){
 const net=require('net');
 const s=net.connect(server.address().port,()=>{s.write('GET / HTTP/1.0\r\n\r\n')});
 s.on('data',(d)=>log('plain got',d.length)); s.on('close',()=>{log('plain closed');sixth()});s.on('error',e=>log('plain err',e.code));
}
function sixth(){
 const net=require('net');
 const n=net.createServer(s=>{s.end('not tls\n')}).listen(0,()=>{
  const c=tls.connect({port:n.address().port});
  c.on('error',(e)=>{log('sixth',e.code,e.library,e.reason,e.message.replace(/^[0-9A-F]+:/,'').split(':').slice(0,4).join(':'));n.close();seventh()});
 });
}
function seventh(){
 const net=require('net');
 const n=net.createServer(s=>{s.end()}).listen(0,()=>{
  const c=tls.connect({port:n.address().port});
  c.on('error',(e)=>{log('seventh',e.code,e.message);n.close();server.close(()=>log('server closed'))});
 });
}

const { X509Certificate } = require('crypto');
const x = new X509Certificate(cert);
log(x, x.toLegacyObject(), x.ca, x.toString() === cert, x.publicKey.asymmetricKeyType, x.checkHost('a.wild.test'), x.checkHost('b.test'), x.checkIP('127.0.0.1'), x.checkEmail('me@a.test'), x.checkIssued(new X509Certificate(ca)), x.verify(new X509Certificate(ca).publicKey), x.checkPrivateKey(require('crypto').createPrivateKey(key)));
try { new X509Certificate('x'); } catch (error) { log(error.message, { ...error }); }
