import webpack from 'webpack';
import WDS from 'webpack-dev-server';
import { log } from './ask.mjs';
import fs from 'node:fs';
import { WebSocket } from 'ws';
import { once } from 'node:events';
fs.mkdirSync('w', { recursive: true });
fs.writeFileSync('w/index.js', 'console.log("first build")');
const compiler = webpack({
  mode: 'development',
  context: `${process.cwd()}/w`,
  entry: './index.js',
  output: { filename: 'out.js' },
  stats: 'none',
  infrastructureLogging: { level: 'none' },
});
const server = new WDS(
  {
    port: 'auto',
    host: '127.0.0.1',
    static: false,
    client: { logging: 'none' },
    setupMiddlewares: (m, s) => {
      s.app.get('/api', (q, r) => r.json({ api: 1 }));
      return m;
    },
    historyApiFallback: true,
  },
  compiler,
);
await server.start();
const port = server.server.address().port;
const base = `http://127.0.0.1:${port}`;
const get = async (p) => {
  const r = await fetch(base + p);
  return [r.status, await r.text()];
};
const [s, text] = await get('/out.js');
log(s, text.includes('first build'));
log(await get('/api'));
const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`);
const types = [];
ws.on('message', (m) => types.push(JSON.parse(m).type));
await once(ws, 'open');
await new Promise((d) => setTimeout(d, 300));
fs.writeFileSync('w/index.js', 'console.log("second build")');
for (let i = 0; i < 100 && !types.includes('static-changed') && types.filter((t) => t === 'hash').length < 2; i++)
  await new Promise((d) => setTimeout(d, 100));
log((await get('/out.js'))[1].includes('second build'));
log([...new Set(types)].sort());
ws.close();
await server.stop();
await new Promise((d) => compiler.close(d));
log('stopped');
