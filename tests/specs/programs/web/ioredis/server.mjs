// A server of the Redis protocol (RESP 2), as far as the case needs it.
import net from 'node:net';

const bulk = (text) => (text === null ? '$-1\r\n' : `$${Buffer.byteLength(text)}\r\n${text}\r\n`);
const list = (items) => `*${items.length}\r\n${items.join('')}`;

export function serve() {
  const store = new Map();
  const subscribers = new Map();
  const sockets = new Set();
  const run = (socket, state, [name, ...args]) => {
    const command = name.toLowerCase();
    if (state.queue !== undefined && command !== 'exec') { state.queue.push([name, ...args]); return '+QUEUED\r\n'; }
    switch (command) {
      case 'ping': return '+PONG\r\n';
      case 'info': return bulk('redis_version:7.0.0\r\nloading:0\r\n');
      case 'set': store.set(args[0], args[1]); return '+OK\r\n';
      case 'get': return typeof store.get(args[0]) === 'object' ? '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n' : bulk(store.get(args[0]) ?? null);
      case 'del': return `:${args.filter((key) => store.delete(key)).length}\r\n`;
      case 'incr': store.set(args[0], `${Number(store.get(args[0]) ?? 0) + 1}`); return `:${store.get(args[0])}\r\n`;
      case 'hset': { const hash = store.get(args[0]) ?? {}; for (let i = 1; i < args.length; i += 2) hash[args[i]] = args[i + 1]; store.set(args[0], hash); return `:${(args.length - 1) / 2}\r\n`; }
      case 'hgetall': return list(Object.entries(store.get(args[0]) ?? {}).flat().map(bulk));
      case 'mget': return list(args.map((key) => bulk(store.get(key) ?? null)));
      case 'multi': state.queue = []; return '+OK\r\n';
      case 'exec': { const { queue } = state; state.queue = undefined; return list(queue.map((each) => run(socket, state, each))); }
      case 'subscribe': for (const channel of args) subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(socket)); return args.map((channel, index) => list([bulk('subscribe'), bulk(channel), `:${index + 1}\r\n`])).join('');
      case 'publish': { const all = subscribers.get(args[0]) ?? []; for (const each of all) each.write(list([bulk('message'), bulk(args[0]), bulk(args[1])])); return `:${all.size ?? 0}\r\n`; }
      case 'quit': setImmediate(() => socket.end()); return '+OK\r\n';
      case 'kill': setImmediate(() => socket.destroy()); return '+OK\r\n';
      default: return `-ERR unknown command '${name}'\r\n`;
    }
  };
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let text = '';
    const state = {};
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      text += data;
      for (;;) {
        const head = /^\*(\d+)\r\n/.exec(text);
        if (head === null) return;
        let rest = text.slice(head[0].length);
        const words = [];
        for (let i = 0; i < Number(head[1]); i++) {
          const size = /^\$(\d+)\r\n/.exec(rest);
          if (size === null) return;
          const bytes = Buffer.from(rest.slice(size[0].length));
          const count = Number(size[1]);
          if (bytes.length < count + 2) return;
          words.push(bytes.subarray(0, count).toString());
          rest = bytes.subarray(count + 2).toString();
        }
        text = rest;
        socket.write(run(socket, state, words));
      }
    });
  });
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, close: () => { server.close(); for (const each of sockets) each.destroy(); } })); });
}
