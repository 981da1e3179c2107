import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { log } from './ask.mjs';
import fs from 'node:fs';
fs.writeFileSync(
  'e.proto',
  'syntax = "proto3"; package t; service Echo { rpc One (M) returns (M); rpc Down (M) returns (stream M); rpc Up (stream M) returns (M); rpc Both (stream M) returns (stream M); rpc Fail (M) returns (M); rpc Slow (M) returns (M); } message M { string text = 1; int32 count = 2; bytes data = 3; }',
);
const { t } = grpc.loadPackageDefinition(loader.loadSync('e.proto', { defaults: true, bytes: Buffer }));
const server = new grpc.Server();
server.addService(t.Echo.service, {
  One: (call, cb) => {
    const trailer = new grpc.Metadata();
    trailer.set('x-trailer', 'end');
    call.sendMetadata(call.metadata);
    cb(
      null,
      { text: call.request.text.toUpperCase(), count: call.request.count + 1, data: call.request.data },
      trailer,
    );
  },
  Down: (call) => {
    for (let i = 0; i < call.request.count; i++) call.write({ text: `${i}` });
    call.end();
  },
  Up: (call, cb) => {
    let count = 0;
    call.on('data', (m) => (count += m.count));
    call.on('end', () => cb(null, { count }));
  },
  Both: (call) => {
    call.on('data', (m) => call.write({ text: `got ${m.text}` }));
    call.on('end', () => call.end());
  },
  Fail: (call, cb) => {
    const m = new grpc.Metadata();
    m.set('why', 'because');
    cb({ code: grpc.status.FAILED_PRECONDITION, details: 'not now', metadata: m });
  },
  Slow: (call) => {
    call.on('cancelled', () => log('server saw cancel'));
  },
});
const port = await new Promise((d, f) =>
  server.bindAsync('localhost:0', grpc.ServerCredentials.createInsecure(), (e, p) => (e ? f(e) : d(p))),
);
const client = new t.Echo(`localhost:${port}`, grpc.credentials.createInsecure());
const meta = new grpc.Metadata();
meta.set('x-a', 'b');
await new Promise((d) => {
  const call = client.One({ text: 'hi', count: 41, data: Buffer.alloc(100_000, 1) }, meta, (e, m) =>
    log(e, m.text, m.count, m.data.length),
  );
  call.on('metadata', (m) => log('metadata', m.get('x-a')));
  call.on('status', (s) => {
    log('status', s.code, s.metadata.get('x-trailer'));
    d();
  });
});
await new Promise((d) => {
  const got = [];
  client
    .Down({ count: 5 })
    .on('data', (m) => got.push(m.text))
    .on('end', () => log('down', got))
    .on('status', (s) => {
      log(s.code);
      d();
    });
});
await new Promise((d) => {
  const call = client.Up((e, m) => {
    log('up', e, m.count);
    d();
  });
  for (let i = 0; i < 1000; i++) call.write({ count: i });
  call.end();
});
await new Promise((d) => {
  const call = client.Both();
  const got = [];
  call.on('data', (m) => {
    got.push(m.text);
    if (got.length === 3) call.end();
  });
  call.on('end', () => {
    log('both', got);
    d();
  });
  for (const text of ['a', 'b', 'c']) call.write({ text });
});
await new Promise((d) =>
  client.Fail({}, (e) => {
    log('fail', e.code, e.details, e.metadata.get('why'), e.message);
    d();
  }),
);
await new Promise((d) =>
  client.Slow({}, { deadline: Date.now() + 100 }, (e) => {
    log('slow', e.code);
    d();
  }),
);
await new Promise((d) => {
  const call = client.Slow({}, (e) => {
    log('cancelled', e.code, e.details);
    d();
  });
  setTimeout(() => call.cancel(), 50);
});
const bad = new t.Echo('localhost:1', grpc.credentials.createInsecure());
await new Promise((d) =>
  bad.One({}, (e) => {
    log('no server', e.code);
    d();
  }),
);
await new Promise((d) => setTimeout(d, 100));
client.close();
bad.close();
await new Promise((d) => server.tryShutdown(d));
log('shut down');
