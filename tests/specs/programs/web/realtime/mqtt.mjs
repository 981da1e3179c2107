import mqtt from 'mqtt';
import { Aedes } from 'aedes';
import net from 'node:net';
import { once } from 'node:events';
import { say } from './clients_server.mjs';
const broker = Aedes.createBroker ? await Aedes.createBroker() : new Aedes();
const s = net.createServer(broker.handle).listen(0, '127.0.0.1');
await once(s, 'listening');
const t = say('http://127.0.0.1:1');
await t('tcp', async () => {
  const c = await mqtt.connectAsync(`mqtt://127.0.0.1:${s.address().port}`, { protocolVersion: 4 });
  await c.subscribeAsync('a/+');
  const got = [];
  const p = new Promise((r) =>
    c.on('message', (k, m, pk) => {
      got.push([k, `${m}`, pk.qos]);
      if (got.length === 3) r();
    }),
  );
  await c.publishAsync('a/b', 'one');
  await c.publishAsync('a/c', Buffer.from('two'), { qos: 1 });
  await c.publishAsync('a/d', 'x'.repeat(10), { retain: true });
  await p;
  await c.endAsync();
  return got;
});
await t('refused', () => mqtt.connectAsync('mqtt://127.0.0.1:2', { reconnectPeriod: 0 }));
broker.close();
s.close();
setTimeout(() => process.exit(), 200);
