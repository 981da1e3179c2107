// The server, and the browser's part: pages, modules, an update after a change.
import { createServer } from 'vite';
import fs from 'node:fs';

const server = await createServer({ logLevel: 'error', server: { port: 0 } });
await server.listen();
const base = server.resolvedUrls.local[0];
const text = async (path) => (await fetch(base + path)).text();
console.log((await text('')).includes('/@vite/client'), (await text('src/App.tsx')).includes('jsxDEV'), (await text('src/main.tsx')).includes('/src/App.tsx'));
console.log((await fetch(`${base}src/style.css`, { headers: { accept: 'text/css' } })).headers.get('content-type'));
console.log((await server.ssrLoadModule('/src/lazy.ts')).late);
const socket = new WebSocket(`${base.replace('http', 'ws')}?token=${server.config.webSocketToken}`, 'vite-hmr');
const next = () => new Promise((done) => (socket.onmessage = ({ data }) => done(JSON.parse(data))));
console.log((await next()).type);
fs.appendFileSync('src/App.tsx', '\n');
const update = await next();
console.log(update.type, update.updates.map(({ path }) => path).join());
socket.close();
await server.close();
console.log('closed');
