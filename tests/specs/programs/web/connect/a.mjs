import connect from 'connect';
import http from 'node:http';
import bodyParser from 'body-parser';
import compression from 'compression';
import morgan from 'morgan';
import cors from 'cors';
import helmet from 'helmet';
import serveStatic from 'serve-static';
import cookieParser from 'cookie-parser';
import multer from 'multer';
import { log, ask } from './ask.mjs';
import fs from 'node:fs';
import zlib from 'node:zlib';
fs.mkdirSync('pub', { recursive: true });
fs.writeFileSync('pub/b.txt', 'static '.repeat(300));
const lines = [];
const app = connect();
app.use(morgan(':method :url :status :res[content-type]', { stream: { write: (line) => lines.push(line.trim()) } }));
app.use(compression({ threshold: 100 }));
app.use(cors({ origin: /example\.org$/, credentials: true }));
app.use(cookieParser('secret'));
app.use('/safe', helmet());
app.use('/static', serveStatic('pub', { lastModified: false, etag: false }));
app.use(bodyParser.json({ limit: 100 }));
app.use(bodyParser.urlencoded({ extended: true }));
app.use(bodyParser.text());
app.use('/upload', multer().any());
app.use('/echo', (req, res) => res.end(JSON.stringify({ body: req.body, cookies: req.cookies, files: req.files })));
app.use('/upload', (req, res) =>
  res.end(
    JSON.stringify({
      body: req.body,
      files: req.files.map(({ fieldname, originalname, mimetype, size }) => ({
        fieldname,
        originalname,
        mimetype,
        size,
      })),
    }),
  ),
);
app.use('/long', (req, res) => {
  res.setHeader('content-type', 'text/plain');
  res.end('x'.repeat(5000));
});
app.use('/safe', (req, res) => res.end('safe'));
app.use('/throw', () => {
  throw new Error('thrown');
});
app.use((error, req, res, next) => {
  res.statusCode = error.status ?? 500;
  res.end(`${error.type ?? 'error'}: ${error.message.replace(/JSON.*/, 'JSON')}`);
});
const server = http.createServer(app).listen(0);
await new Promise((d) => server.on('listening', d));
const base = `http://localhost:${server.address().port}`;
await ask(base, '/echo', {
  method: 'POST',
  headers: { 'content-type': 'application/json', cookie: 'a=1; b=j%3A%7B%22x%22%3A2%7D' },
  body: '{"a":[1,2]}',
});
await ask(base, '/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' });
await ask(base, '/echo', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ a: 'x'.repeat(200) }),
});
await ask(base, '/echo', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  body: zlib.gzipSync('{"zip":true}'),
});
await ask(base, '/echo', { method: 'POST', body: new URLSearchParams({ 'a[b]': '1', c: '2' }) });
const form = new FormData();
form.set('name', 'value');
form.set('file', new File(['content'], 'f.txt', { type: 'text/plain' }));
await ask(base, '/upload', { method: 'POST', body: form });
await ask(base, '/long', { headers: { 'accept-encoding': 'gzip' } });
await ask(base, '/long', { headers: { 'accept-encoding': 'identity' } });
await ask(base, '/static/b.txt', { headers: { 'accept-encoding': 'br', origin: 'https://example.org' } });
await ask(base, '/static/b.txt', { headers: { range: 'bytes=0-5', 'accept-encoding': 'identity' } });
await ask(base, '/static/none', { headers: { 'accept-encoding': 'identity' } });
await ask(base, '/static/%2e%2e/ask.mjs', { headers: { 'accept-encoding': 'identity' } });
await ask(base, '/safe');
await ask(base, '/throw');
await ask(base, '/echo', {
  method: 'OPTIONS',
  headers: { origin: 'https://a.example.org', 'access-control-request-method': 'PUT' },
});
log(lines);
server.close();
server.closeAllConnections();
