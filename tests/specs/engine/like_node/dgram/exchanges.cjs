// Exchanges of node:dgram over loopback: senders, connected sockets, closing in a callback, refused messages, addresses in use,
// options, buffers and memberships.
const dgram = require('node:dgram');
const { once } = require('node:events');

const shown = (name, action) => {
  try {
    const value = action();
    console.log(name, typeof value === 'object' ? 'object' : value);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const bound = async (type, options = {}, place = { address: type === 'udp6' ? '::1' : '127.0.0.1' }) => {
  const socket = dgram.createSocket({ type, ...options });
  socket.bind(place);
  await once(socket, 'listening');
  return socket;
};

async function main() {
  for (const type of ['udp4', 'udp6']) {
    const [receiver, sender] = [await bound(type), await bound(type)];
    const { address, family, port } = receiver.address();
    console.log(type, address, family, port > 0);
    for (const data of ['one', '', Buffer.from([0, 255]), new Uint16Array([1, 2]), ['a', Buffer.from('b')]]) {
      const arrival = once(receiver, 'message');
      sender.send(data, port, address, (error, bytes) => console.log('sent', error, bytes));
      const [message, from] = await arrival;
      console.log(message, from.address, from.family, from.port === sender.address().port, from.size);
    }
    sender.connect(port, address);
    await once(sender, 'connect');
    console.log(sender.remoteAddress().port === port, sender.remoteAddress().family);
    const arrival = once(receiver, 'message');
    sender.send('connected');
    console.log(`${(await arrival)[0]}`);
    shown('an address when connected', () => sender.send('x', port, address));
    sender.disconnect();
    shown('remote', () => sender.remoteAddress());
    shown('no address', () => sender.send('x'));
    receiver.close();
    sender.close();
    shown('closed', () => sender.address());
    shown('closed', () => sender.send('x', 1));
  }

  const once_ = await bound('udp4');
  let count = 0;
  once_.on('message', () => {
    count++;
    once_.close();
  });
  const other = dgram.createSocket('udp4');
  for (const text of ['first', 'second']) other.send(text, once_.address().port, '127.0.0.1');
  await once(once_, 'close');
  console.log('messages until closed', count);

  const gone = await bound('udp4');
  const { port } = gone.address();
  gone.close();
  const refused = dgram.createSocket('udp4');
  refused.connect(port, '127.0.0.1');
  await once(refused, 'connect');
  refused.send('x');
  const [error] = await once(refused, 'error');
  console.log(error.code, error.syscall, error.message);
  refused.close();

  const first = await bound('udp4');
  const second = dgram.createSocket('udp4');
  second.bind(first.address().port, '127.0.0.1');
  const [inUse] = await once(second, 'error');
  console.log(inUse.code, inUse.syscall, inUse.address, inUse.port === first.address().port);
  const shared = await bound('udp4', { reusePort: true });
  const sharing = await bound('udp4', { reusePort: true }, { port: shared.address().port, address: '127.0.0.1' });
  console.log(shared.address().port === sharing.address().port);
  const only = await bound('udp6', { ipv6Only: true }, {});
  const also = await bound('udp4', {}, { port: only.address().port, address: '0.0.0.0' });
  console.log(only.address().address, also.address().address);

  for (const [name, value] of [['setBroadcast', true], ['setTTL', 7], ['setTTL', 1000], ['setTTL', 0], ['setMulticastTTL', 3],
    ['setMulticastTTL', 256], ['setMulticastLoopback', false]]) {
    for (const socket of [first, only]) shown(`${name} ${value}`, () => socket[name](value));
  }
  first.setRecvBufferSize(8192);
  first.setSendBufferSize(10000);
  console.log(first.getRecvBufferSize(), first.getSendBufferSize());
  for (const action of ['addMembership', 'addMembership', 'dropMembership', 'dropMembership']) {
    shown(action, () => first[action]('224.0.0.114', '127.0.0.1'));
  }
  shown('not a group', () => first.addMembership('127.0.0.1'));
  shown('no address', () => first.addMembership('no address'));
  for (const action of ['addSourceSpecificMembership', 'dropSourceSpecificMembership', 'dropSourceSpecificMembership']) {
    shown(action, () => first[action]('127.0.0.1', '232.1.1.1', '127.0.0.1'));
  }
  for (const socket of [other, first, second, shared, sharing, only, also]) socket.close();
}
main();
