// RT.RedisClient while its server restarts: pending commands fail, new ones wait, channels are resubscribed; without
// autoReconnect, without a queue and beyond maxRetries nothing waits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
const { REDIS_SERVER, REDIS_PORT } = process.env;
const url = `redis://127.0.0.1:${REDIS_PORT}`;
let server;
const up = async () => {
  server = spawn(REDIS_SERVER, ['--port', REDIS_PORT, '--bind', '127.0.0.1', '--save', '']);
  let said = '';
  for await (const bytes of server.stdout) if ((said += bytes).includes('Ready to accept connections')) break;
};
const down = async () => { server.kill('SIGKILL'); await once(server, 'exit'); };
const print = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const failure = (error) => `${error.name} ${error.code} ${error.message}`;
const reported = (client) => { const events = []; client.onconnect = () => events.push('connected'); client.onclose = (error) => events.push(error.code); return events; };

await up();
const client = new RT.RedisClient(url);
const events = reported(client);
await client.set('key', 'kept by nobody');
await down();
while (client.connected) await RT.sleep(1);
const meanwhile = [client.get('key'), client.set('key', 'new'), client.get('key')];
await up();
print(await Promise.all(meanwhile), client.connected, events.splice(0));

const blocked = client.send('BLPOP', ['no such list', '0']).catch(failure);
const other = new RT.RedisClient(url);
while (!(await other.send('CLIENT', ['LIST'])).includes('cmd=blpop')) await RT.sleep(1);
await down();
print(await blocked);
await up();
print(await client.ping(), events.splice(0));

let hear;
const hears = () => new Promise((resolve) => { hear = resolve; });
const subscriber = await other.duplicate();
await subscriber.subscribe('news', (text, channel) => hear(`${channel}: ${text}`));
let heard = hears();
await other.publish('news', 'before');
print(await heard);
await down();
heard = hears();
while (other.connected) await RT.sleep(1);
await up();
while ((await other.publish('news', 'after')) === 0) await RT.sleep(1);
print(await heard);
subscriber.close();

const alone = new RT.RedisClient(url, { autoReconnect: false });
const queueless = new RT.RedisClient(url, { enableOfflineQueue: false });
const few = new RT.RedisClient(url, { maxRetries: 1 });
print(await queueless.ping().catch(failure));
await queueless.connect();
print(await Promise.all([alone.ping(), queueless.ping(), few.ping()]));
const ends = [alone, queueless].map((each) => new Promise((resolve) => { each.onclose = resolve; }));
await down();
await Promise.all(ends);
print('alone', await alone.get('x').catch(failure));
print('queueless', await queueless.get('x').catch(failure));
print('few', await few.get('x').catch(failure));
await up();
print('alone', await alone.get('x').catch(failure), alone.connected);
await Promise.all([alone.connect(), few.connect()]);
print(await Promise.all([alone.ping(), few.ping()]));
for (const each of [client, other, alone, queueless, few]) each.close();
await down();
