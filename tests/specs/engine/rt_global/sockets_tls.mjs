// TLS for RT.listen and RT.connect: what a client hears, what is refused, and a connection that becomes secure later.
import { RT, outcome, show } from './table.mjs';

const cert = `-----BEGIN CERTIFICATE-----
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
-----END CERTIFICATE-----`;
const key = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEINjI1hvX72UxlQ5R8mbHEF81SDZICXLJkXfCnryFhETKoAoGCCqGSM49
AwEHoUQDQgAEZJAqxUysFz1/Y4zIRVbfiVw8UL6VaGIGwexo8cUh72MlqzLLQ9Rp
x6MUMSViYoT6R7d3y0bNQIMG1uX4l5cqTQ==
-----END EC PRIVATE KEY-----`;

const rows = [];
let heard = [];
const tell = (...words) => heard.push(words);
const handlers = (name) => ({
  open: () => tell(name, 'open'),
  handshake(socket, isGood, error) {
    if (name === 'server') return;
    tell(name, 'handshake', isGood, error?.code, socket.authorized);
    if (isGood) socket.write('hello');
  },
  data(socket, data) {
    if (name === 'server') socket.end(`bye ${data}`);
    else tell(name, String(data));
  },
  close: () => tell(name, 'close'),
});
const listenTo = (tls) => RT.listen({ hostname: '127.0.0.1', port: 0, tls, socket: { ...handlers('server'), open() {}, close() {} } });
const server = listenTo({ cert, key });
const place = { hostname: '127.0.0.1', port: server.port };
const heardNow = async (what) => {
  while (!heard.some((words) => words[1] === what)) await new Promise((resolve) => setTimeout(resolve, 10));
  return heard.splice(0);
};

await RT.connect({ ...place, tls: { rejectUnauthorized: false }, socket: handlers('lax') });
rows.push(['lax', await heardNow('close')]);
await RT.connect({ ...place, tls: true, socket: handlers('strict') });
rows.push(['strict', await heardNow('close')]);
const plain = await RT.connect({ ...place, socket: { data() {} } });
rows.push(['too little', [outcome(() => plain.upgradeTLS())]]);
const upgraded = plain.upgradeTLS({ tls: { rejectUnauthorized: false }, data: 4, socket: handlers('upgraded') });
rows.push(['upgraded', [upgraded.length, upgraded[1].data], await heardNow('close'), outcome(() => plain.upgradeTLS({}))]);
rows.push(['wrong', [outcome(() => listenTo(5)), outcome(() => listenTo({ cert: 'x', key: 'y' }))]]);
server.stop(true);
show(rows.map(([label, ...results]) => [label, results]));
