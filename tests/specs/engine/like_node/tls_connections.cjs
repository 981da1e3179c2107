// TLS between a server and clients: trust, names, protocols, failures on both sides, and what certificates say.
const CA = `-----BEGIN CERTIFICATE-----
MIIBujCCAWGgAwIBAgIUGOyYPTs0SvWYogHJn1JQjSxvkSEwCgYIKoZIzj0EAwIw
MjELMAkGA1UEBhMCWFgxETAPBgNVBAoMCHJ0IHRlc3RzMRAwDgYDVQQDDAdUZXN0
IENBMCAXDTI2MTEyMjE2MTgwMloYDzIxMjYxMDI5MTYxODAyWjAyMQswCQYDVQQG
EwJYWDERMA8GA1UECgwIcnQgdGVzdHMxEDAOBgNVBAMMB1Rlc3QgQ0EwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARSHlGdoP4Q9mZgQJwJ9x7MX+bLE/kFYtOojjzl
ZWAm/jaNmK1310TaYTs3y3LqEJtBOWN0rmeWhfFbiNpsX79Ro1MwUTAdBgNVHQ4E
FgQUhYfAcBmGNZhFbA204egLMKXBug0wHwYDVR0jBBgwFoAUhYfAcBmGNZhFbA20
4egLMKXBug0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB0HMGX
vi2qle5eCt872i0NtemkwXxQqv1JvzKi9QpF3AIgMacGKWIwl4ogkpI85t6bzm8r
AGz9ClE3hUvMCrD8C+c=
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEINjI1hvX72UxlQ5R8mbHEF81SDZICXLJkXfCnryFhETKoAoGCCqGSM49
AwEHoUQDQgAEZJAqxUysFz1/Y4zIRVbfiVw8UL6VaGIGwexo8cUh72MlqzLLQ9Rp
x6MUMSViYoT6R7d3y0bNQIMG1uX4l5cqTQ==
-----END EC PRIVATE KEY-----
`;
const CERT = `-----BEGIN CERTIFICATE-----
MIICZjCCAg2gAwIBAgIUYg950QlDSBKo6ew74OYYyHoILgMwCgYIKoZIzj0EAwIw
MjELMAkGA1UEBhMCWFgxETAPBgNVBAoMCHJ0IHRlc3RzMRAwDgYDVQQDDAdUZXN0
IENBMCAXDTI2MTEyMjE2MTgwMloYDzIxMjYxMDI5MTYxODAyWjA2MQswCQYDVQQG
EwJYWDERMA8GA1UECgwIcnQgdGVzdHMxFDASBgNVBAMMC3NlcnZlci50ZXN0MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZJAqxUysFz1/Y4zIRVbfiVw8UL6VaGIG
wexo8cUh72MlqzLLQ9Rpx6MUMSViYoT6R7d3y0bNQIMG1uX4l5cqTaOB+jCB9zBE
BgNVHREEPTA7ggtzZXJ2ZXIudGVzdIILKi53aWxkLnRlc3SHBH8AAAGGDmh0dHA6
Ly9hLnRlc3QvgQltZUBhLnRlc3QwHQYDVR0lBBYwFAYIKwYBBQUHAwEGCCsGAQUF
BwMCMFAGCCsGAQUFBwEBBEQwQjAdBggrBgEFBQcwAYYRaHR0cDovL29jc3AudGVz
dC8wIQYIKwYBBQUHMAKGFWh0dHA6Ly9jYS50ZXN0L2NhLnBlbTAdBgNVHQ4EFgQU
Tv2C5yqRsFe+nUBYzc4viC2pyg4wHwYDVR0jBBgwFoAUhYfAcBmGNZhFbA204egL
MKXBug0wCgYIKoZIzj0EAwIDRwAwRAIgdcZduHYdyPaXEZWcT3//jGIatNXtaz5h
C/21bMBfPjACIF6Zf82zjJe4EGHYCmB9z+IU926MhUnkpgwQG7rWU2BI
-----END CERTIFICATE-----
`;
const tls=require('tls'),fs=require('fs');const {inspect}=require('util');
const log=(...a)=>process.stdout.write(a.map(x=>typeof x=='string'?x:inspect(x,{depth:4})).join(' ')+'\n');
const r=(n)=>({'agent1-key.pem':KEY,'agent1-cert.pem':CERT,'ca1-cert.pem':CA})[n];
const server=tls.createServer({key:r('agent1-key.pem'),cert:r('agent1-cert.pem'),ca:r('ca1-cert.pem'),ALPNProtocols:['h2','http/1.1'],requestCert:true,rejectUnauthorized:false},(s)=>{log('server secure',s.authorized,s.authorizationError,s.alpnProtocol,s.servername,s.getProtocol());s.on('data',d=>{s.write('echo '+d)});s.on('end',()=>{log('server end');s.end()});s.on('close',()=>log('server close'))});
server.on('tlsClientError',(e)=>log('tlsClientError',e.code));
server.listen(0,()=>{
 const c=tls.connect({port:server.address().port,host:'127.0.0.1',ca:r('ca1-cert.pem'),servername:'server.test',checkServerIdentity(){},ALPNProtocols:['http/1.1']},()=>{
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
 const c=tls.connect({port:server.address().port,ca:r('ca1-cert.pem'),host:'localhost'});
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
const x = new X509Certificate(CERT);
log(x, x.toLegacyObject(), x.ca, x.toString() === CERT, x.publicKey.asymmetricKeyType, x.checkHost('a.wild.test'), x.checkHost('b.test'), x.checkIP('127.0.0.1'), x.checkEmail('me@a.test'), x.checkIssued(new X509Certificate(CA)), x.verify(new X509Certificate(CA).publicKey), x.checkPrivateKey(require('crypto').createPrivateKey(KEY)));
try { new X509Certificate('x'); } catch (error) { log(error.message, { ...error }); }
