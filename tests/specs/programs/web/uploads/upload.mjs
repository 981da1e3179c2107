import express from 'express';
import multer from 'multer';
import busboy from 'busboy';
import formidable from 'formidable';
import FD from 'form-data';
import http from 'node:http';
import { once } from 'node:events';
import { say } from './clients_server.mjs';
import fs from 'node:fs';
import * as tus from 'tus-js-client';
const app = express();
const up = multer({ storage: multer.memoryStorage(), limits: { fileSize: 200000 } });
app.post('/multer', up.array('f', 3), (q, r) =>
  r.json({ b: q.body, f: q.files.map((x) => [x.originalname, x.mimetype, x.size]) }),
);
app.post('/busboy', (q, r) => {
  const o = [];
  const b = busboy({ headers: q.headers });
  b.on('file', (n, s, i) => {
    let k = 0;
    s.on('data', (d) => (k += d.length)).on('close', () => o.push([n, i, k]));
  });
  b.on('field', (n, v, i) => o.push([n, v, i.mimeType]));
  b.on('close', () => r.headersSent || r.json(o));
  b.on('error', (e) => r.headersSent || r.status(400).json(e.message));
  q.pipe(b);
});
app.post('/formidable', async (q, r) => {
  try {
    // formidable adds a file once it is written, so two files come in either order
    const [f, fs2] = await formidable({ maxFileSize: 500000 }).parse(q);
    r.json([f, Object.entries(fs2).map(([k, v]) => [k, v.map((x) => [x.originalFilename, x.mimetype, x.size]).sort()])]);
  } catch (e) {
    r.status(e.httpCode ?? 500).json([e.code, e.message]);
  }
});
app.use((e, q, r, n) => r.status(500).json([e.code, e.message]));
const s = http.createServer(app).listen(0, '127.0.0.1');
await once(s, 'listening');
const base = `http://127.0.0.1:${s.address().port}`;
const t = say(base);
const form = (big = 10) => {
  const f = new FormData();
  f.append('a', '1');
  f.append('a', 'é\n2');
  f.append('f', new File(['x'.repeat(big)], 'näme "q".txt', { type: 'text/x' }));
  f.append('f', new Blob([new Uint8Array(3)]));
  return f;
};
for (const p of ['multer', 'busboy', 'formidable']) {
  await t(p, async () => (await fetch(`${base}/${p}`, { method: 'POST', body: form() })).json());
  await t(p + ' big', async () => (await fetch(`${base}/${p}`, { method: 'POST', body: form(100000) })).json());
  await t(
    p + ' fd',
    () =>
      new Promise((res, rej) => {
        const f = new FD();
        f.append('a', '1');
        f.append('f', fs.createReadStream(new URL('./package.json', import.meta.url)));
        f.append('f', Buffer.from('q'), { filename: 'b.bin', contentType: 'x/y' });
        f.submit(`${base}/${p}`, (e, r) => {
          if (e) return rej(e);
          let d = '';
          r.on('data', (c) => (d += c)).on('end', () => res(JSON.parse(d)));
        });
      }),
  );
  await t(p + ' cut', async () =>
    (
      await fetch(`${base}/${p}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=X' },
        body: '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      })
    )
      .text()
      .then((x) => x.replace(/at .*/s, '')),
  );
}
await t('too large', async () => (await fetch(base + '/multer', { method: 'POST', body: form(300000) })).json());
await t(
  'tus',
  () =>
    new Promise((res, rej) => {
      let off = 0;
      const s = http
        .createServer((q, r) => {
          r.setHeader('Tus-Resumable', '1.0.0');
          if (q.method === 'POST') {
            r.writeHead(201, { Location: `http://127.0.0.1:${s.address().port}/u` });
            r.end();
          } else {
            q.on('data', (d) => (off += d.length)).on('end', () => {
              r.writeHead(204, { 'Upload-Offset': off });
              r.end();
            });
          }
        })
        .listen(0, '127.0.0.1', () => {
          new tus.Upload(Buffer.alloc(50000), {
            endpoint: `http://127.0.0.1:${s.address().port}/`,
            chunkSize: 20000,
            retryDelays: [],
            onError: rej,
            onSuccess: () => {
              s.close();
              s.closeAllConnections();
              res(off);
            },
          }).start();
        });
    }),
);
s.closeAllConnections();
s.close();
