// RT.RedisClient with a real server: commands and replies, pipelining, bytes, errors, channels, reconnection, rejected
// arguments.
const client = new RT.RedisClient(process.env.REDIS_URL);
const print = (...values) => console.log(values.map((value) => (value === undefined ? 'undefined' : JSON.stringify(value))).join(' '));
const refused = async (work) => { try { print('not refused', await work()); } catch (error) { print(error.name, error.code, error.message); } };

print(client.connected, client.bufferedAmount);
print(await client.set('k', 'v'), await client.get('k'), await client.get('none'), await client.exists('k'), await client.del('k'));
print(client.connected, await client.ping(), await client.incr('n'), await client.incrby('n', 41), await client.ttl('n'));
print(await client.hset('h', { a: '1', b: 2 }), await client.hgetall('h'), await client.hmget('h', ['a', 'q']), await client.hexists('h', 'a'));
print(await client.rpush('l', 'a', 'b', 'c'), await client.lrange('l', 0, -1), await client.sadd('s', 'x'), await client.sismember('s', 'x'));
print(await client.zadd('z', 1.5, 'm'), await client.zscore('z', 'm'), await client.mget('n', 'none'), await client.send('TYPE', ['z']));
await client.set('bytes', new Uint8Array([0, 255, 13, 10]));
print([...(await client.getBuffer('bytes'))], await client.set('ü', '日本'), await client.get('ü'));
const large = 'x'.repeat(3_000_000);
print(await client.set('large', large), (await client.get('large')) === large);
print((await Promise.all(Array.from({ length: 5000 }, () => client.incr('many')))).at(-1));
print(await Promise.all([client.send('MULTI', []), client.set('t', '1'), client.incr('t'), client.send('EXEC', [])]));
await refused(() => client.get('h'));
await refused(() => client.send('BOGUS', []));
await refused(() => client.get());
await refused(() => client.set('k', {}));
await refused(() => new RT.RedisClient('http://localhost'));

const listener = await client.duplicate();
let reported;
const next = () => new Promise((resolve) => { reported = resolve; });
let message = next();
print(await listener.subscribe(['first', 'second'], (text, channel) => reported([channel, text])));
await client.publish('second', 'hello');
print(await message);
await refused(() => listener.get('k'));
await listener.psubscribe('news.*', (text, channel) => reported([channel, text, 'by pattern']));
message = next();
await client.publish('news.today', 'rain');
print(await message);

// All connections are cut: channels and commands continue.
const lost = new Promise((resolve) => { listener.onclose = resolve; });
const back = new Promise((resolve) => { listener.onconnect = resolve; });
await client.send('CLIENT', ['KILL', 'TYPE', 'pubsub']);
print((await lost).code);
await back;
message = next();
while ((await client.publish('first', 'again')) === 0) await RT.sleep(1);
print(await message);
print(await listener.unsubscribe('first'), await listener.unsubscribe(), await listener.punsubscribe());
print(await listener.get('n'));
listener.close();
await refused(() => listener.get('n'));

const other = new RT.RedisClient(process.env.REDIS_URL);
await other.connect();
await client.send('CLIENT', ['KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
print(await other.get('n').catch(() => other.get('n')));
other.close();

await refused(() => new RT.RedisClient('redis://127.0.0.1:1', { maxRetries: 1 }).get('k'));
await refused(() => new RT.RedisClient('redis://127.0.0.1:1', { enableOfflineQueue: false }).get('k'));
await refused(() => new RT.RedisClient(process.env.REDIS_URL.replace(':secret@', ':wrong@')).get('k'));
print(await RT.redis.get('n'), RT.redis instanceof RT.RedisClient);
print('an idle client keeps no program alive');
