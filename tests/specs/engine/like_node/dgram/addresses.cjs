// Addresses in node:dgram: dropping membership while unbound, scope IDs after `%`, and sending to another address than
// the connected one.
const dgram = require('node:dgram');

const shown = (name, action) => {
  try {
    console.log(name, action());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};

for (const type of ['udp4', 'udp6']) {
  const [group, source] = type === 'udp4' ? ['224.0.0.114', '127.0.0.1'] : ['ff02::114', '::1'];
  const fresh = () => dgram.createSocket(type);
  shown(`${type} drop`, () => fresh().dropMembership(group));
  shown(`${type} drop wrong`, () => fresh().dropMembership('256.256.256.256'));
  shown(`${type} drop source`, () => fresh().dropSourceSpecificMembership(source, group));
  shown(`${type} drop wrong source`, () => fresh().dropSourceSpecificMembership('x', group));
  shown(`${type} drop wrong group`, () => fresh().dropSourceSpecificMembership(source, '0'));
  shown(`${type} interface`, () => fresh().setMulticastInterface(source));
  shown(`${type} wrong interface`, () => fresh().setMulticastInterface('x'));
}

const six = dgram.createSocket('udp6');
six.bind(0, () => {
  const interfaces = ['::%lo0', '::%lo', '::%1', '::', '', '%lo', '::%', 'fe80::1%nope', '::%99', '1.2.3.4'];
  for (const each of interfaces) shown(`to ${each}`, () => six.setMulticastInterface(each));
  for (const [group, at] of [['ff02::114', '::%lo'], ['ff02::115', '::%nope'], ['ff02::116%lo'], ['ff02::117', 'lo']]) {
    shown(`add ${group} ${at}`, () => six.addMembership(group, at));
    shown(`drop ${group} ${at}`, () => six.dropMembership(group, at));
  }
  six.close();
});

const four = dgram.createSocket('udp4');
four.bind(0, '127.0.0.1', () => {
  for (const each of ['127.0.0.1', '', '224.0.0.2', '::', 'x']) shown(`to ${each}`, () => four.setMulticastInterface(each));
  four.connect(four.address().port, '127.0.0.1', () => {
    const done = () => {};
    const places = [[0, 1, 5], [0, 1, 0, 'h'], [0, 1, 65536, 'h'], [9, 'h', done], [0, 9], [3, 0]];
    for (const place of places) shown(`send ${place.length}`, () => four.send('a', ...place));
    shown('send a number', () => four.send(23, 12345, 'h'));
    let left = 3;
    const reported = (error, bytes) => {
      console.log(error, bytes);
      if (--left === 0) four.close();
    };
    four.send('abc', reported);
    four.send('abc', 1, 2, reported);
    four.send('abc', 0, 1, null, null, reported);
  });
});
