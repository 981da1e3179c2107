// Errors for each option of `websocket` of RT.serve, and the close frames sent when it stops immediately.
import { RT, show } from './table.mjs';

const rows = [];
const values = [null, undefined, 0, -1, 1.5, 5, 960, 961, 2 ** 40, Number.NaN, Infinity, '8', true, false, {}, [], () => {}, 3n];
const said = (websocket) => {
  try {
    RT.serve({ port: 0, fetch() {}, websocket: { message() {}, ...websocket } }).stop(true);
    return 'taken';
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
};
const names = ['idleTimeout', 'maxPayloadLength', 'backpressureLimit', 'sendPings', 'publishToSelf', 'closeOnBackpressureLimit', 'perMessageDeflate'];
for (const name of [...names, 'open', 'message', 'close', 'drain', 'ping', 'pong']) rows.push([name, values.map((value) => said({ [name]: value }))]);

const heard = Promise.withResolvers();
const server = RT.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('no')),
  websocket: { message() {}, close: (socket, code, reason) => heard.resolve([code, reason]) },
});
rows.push(['a request of nobody', server.upgrade(new Request('http://a/'))]);
const client = new WebSocket(`ws://127.0.0.1:${server.port}`);
const closed = new Promise((resolve) => (client.onclose = ({ code, reason, wasClean }) => resolve([code, reason, wasClean])));
await new Promise((resolve) => (client.onopen = resolve));
server.stop(true);
rows.push(['stop', [await heard.promise, await closed]]);
show(rows);
