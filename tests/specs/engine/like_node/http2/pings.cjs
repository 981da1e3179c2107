// A ping needs an established connection that stays open; otherwise its callback reports cancellation.
const http2 = require('node:http2');

const reported = (values) => JSON.stringify(values.map((value) => value?.code ?? typeof value));
const ping = (session) =>
  new Promise((resolve) => {
    const isSent = session.ping((...values) => resolve(`${isSent} ${reported(values)}`));
  });

const server = http2.createServer().listen(0, async () => {
  const session = http2.connect(`http://localhost:${server.address().port}`);
  session.on('error', ({ code }) => console.log('error', code));
  console.log('connecting', await ping(session));
  if (session.connecting) await new Promise((resolve) => session.once('connect', resolve));
  console.log('connected', await ping(session));
  session.close();
  console.log('closing', await ping(session));
  server.close();
});
