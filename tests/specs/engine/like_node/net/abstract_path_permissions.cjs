// `readableAll` and `writableAll` on a server that listens on an abstract socket path, which has no file mode.
const net = require('node:net');
for (const rights of [{ readableAll: true }, { writableAll: true }, { readableAll: true, writableAll: true }, { readableAll: false }]) {
  const server = net.createServer();
  try {
    server.listen({ path: `\0rights-${process.pid}`, ...rights });
    console.log('listens', server.listening);
  } catch ({ name, code, message }) {
    console.log(name, code, message.replaceAll(process.pid, 'N'));
  }
  server.close();
}
