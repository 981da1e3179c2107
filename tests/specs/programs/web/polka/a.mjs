import polka from 'polka';
import sirv from 'sirv';
import { log, ask } from './ask.mjs';
import fs from 'node:fs';
fs.mkdirSync('pub', { recursive: true });
fs.writeFileSync('pub/a.txt', 'hello file');
fs.writeFileSync('pub/index.html', '<p>index</p>');
const seen = [];
const app = polka({
  onError: (error, req, res) => {
    res.statusCode = error.status ?? 500;
    res.end(`failed: ${error.message}`);
  },
  onNoMatch: (req, res) => {
    res.statusCode = 404;
    res.end('nothing');
  },
});
app.use((req, res, next) => {
  seen.push(req.path);
  next();
});
app.use('/pub', sirv('pub'));
app.get('/users/:id/:rest?', (req, res) =>
  res.end(JSON.stringify({ params: req.params, query: req.query, search: req.search, originalUrl: req.originalUrl })),
);
app.get('/files/*', (req, res) => res.end(req.params['*'] ?? req.params.wild));
app.post('/echo', async (req, res) => {
  let text = '';
  for await (const part of req) text += part;
  res.end(text.toUpperCase());
});
app.use(
  'sub',
  polka().get('/inner', (req, res) => res.end('inner')),
);
app.listen(0);
const server = app.server;
await new Promise((d) => server.on('listening', d));
const base = `http://localhost:${server.address().port}`;
for (const path of [
  '/users/7?x=1&x=2',
  '/users/7/more',
  '/files/a/b/c',
  '/sub/inner',
  '/none',
  '/pub/a.txt',
  '/pub/',
  '/pub/none',
])
  await ask(base, path);
await ask(base, '/echo', { method: 'POST', body: 'shout' });
await ask(base, '/pub/a.txt', { headers: { range: 'bytes=2-4' } });
await ask(base, '/users/7', { method: 'HEAD' });
log(seen.length);
server.close();
