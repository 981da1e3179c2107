const WS = require('isomorphic-ws');
const RWS = require('reconnecting-websocket');
const { EventSource } = require('eventsource');
const Faye = require('faye-websocket');
const W3 = require('websocket');
const http = require('http');
(async () => {
  const { server, say } = await import('./clients_server.mjs');
  const { base, stop, s } = await server();
  const t = say(base);
  const wss = new WS.WebSocketServer({ noServer: true });
  let n = 0;
  s.on('upgrade', (q, k, h) => {
    if (q.url === '/faye') {
      const f = new Faye(q, k, h);
      f.on('message', (e) => f.send(e.data));
      return;
    }
    wss.handleUpgrade(q, k, h, (w) => {
      n++;
      w.on('message', (m, b) => w.send(m, { binary: b }));
      if (q.url === '/drop' && n < 3) setTimeout(() => w.close(1012), 10);
    });
  });
  const url = base.replace('http', 'ws');
  await t(
    'iso',
    () =>
      new Promise((r) => {
        const w = new WS(url);
        const o = [];
        w.onopen = () => {
          w.send('a');
          w.send(Buffer.from('b'));
        };
        w.onmessage = (e) => {
          o.push(typeof e.data === 'string' ? e.data : `${e.data}`);
          if (o.length === 2) w.close(3000, 'x');
        };
        w.onclose = (e) => r([o, e.code, e.reason]);
      }),
  );
  for (const [k, C] of [
    ['ws', WS],
    ['native', WebSocket],
  ])
    await t(
      'rws ' + k,
      () =>
        new Promise((r) => {
          n = 0;
          const w = new RWS(url + '/drop', [], { WebSocket: C, minReconnectionDelay: 10, maxReconnectionDelay: 20 });
          let opens = 0;
          w.addEventListener('open', () => {
            if (++opens === 3) {
              w.send('hey');
            }
          });
          w.addEventListener('message', (e) => {
            w.close();
            r([opens, e.data]);
          });
        }),
    );
  await t(
    'faye native',
    () =>
      new Promise((r) => {
        const w = new WebSocket(url + '/faye');
        w.onopen = () => w.send('é'.repeat(70000));
        w.onmessage = (e) => {
          w.close();
          r(e.data.length);
        };
      }),
  );
  await t(
    'faye client',
    () =>
      new Promise((r) => {
        const w = new Faye.Client(url + '/faye');
        w.on('open', () => w.send('x'));
        w.on('message', (e) => {
          w.close();
          r(e.data);
        });
      }),
  );
  await t(
    'websocket',
    () =>
      new Promise((r, j) => {
        const c = new W3.client();
        c.on('connectFailed', j);
        c.on('connect', (k) => {
          k.on('message', (m) => {
            k.close();
            r(m.utf8Data);
          });
          k.sendUTF('w3');
        });
        c.connect(url);
      }),
  );
  await t(
    'w3c',
    () =>
      new Promise((r) => {
        const w = new W3.w3cwebsocket(url);
        w.onopen = () => w.send('w');
        w.onmessage = (e) => {
          w.close();
          r(e.data);
        };
      }),
  );
  await t(
    'es',
    () =>
      new Promise((r) => {
        const o = [];
        const e = new EventSource(base + '/sse');
        e.onmessage = (m) => o.push([m.data, m.lastEventId]);
        e.addEventListener('foo', (m) => o.push(['foo', m.data]));
        e.onerror = (x) => {
          e.close();
          r([o, x.type]);
        };
      }),
  );
  await t(
    'es 404',
    () =>
      new Promise((r) => {
        const e = new EventSource(base + '/404');
        e.onerror = (x) => {
          e.close();
          r([x.code, x.message, e.readyState]);
        };
      }),
  );
  stop();
  setTimeout(() => process.exit(), 100);
})();
