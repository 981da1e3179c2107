// TLS for RT.listen and RT.connect: events of a client, rejected options, and upgrading a connection.
import { RT, outcome, show } from './table.mjs';
import identity from '../tls_identity.cjs';

const { cert, key } = identity;

const rows = [];
let heard = [];
const report = (...words) => heard.push(words);
const handlers = (name) => ({
  open: () => report(name, 'open'),
  handshake(socket, isGood, error) {
    if (name === 'server') return;
    report(name, 'handshake', isGood, error?.code, socket.authorized);
    if (isGood) socket.write('hello');
  },
  data(socket, data) {
    if (name === 'server') socket.end(`bye ${data}`);
    else report(name, String(data));
  },
  close: () => report(name, 'close'),
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
