// Refreshed timers: before and after they were due, from their own callback, cleared ones, and those of sockets.
const net = require('node:net');
const order = [];
const done = (name) => () => order.push(name);
const refreshed = setTimeout(done('refreshed'), 40);
const still = setInterval(() => {
  order.push('interval');
  if (order.filter((name) => name === 'interval').length === 2) clearInterval(still);
  else still.refresh();
}, 5);
let again = 0;
const own = setTimeout(() => {
  order.push(`own ${++again}`);
  if (again < 3) own.refresh();
}, 10);
const cleared = setTimeout(done('never'), 10);
clearTimeout(cleared);
cleared.refresh();
for (let i = 0; i < 1000; i++) refreshed.refresh();
setTimeout(() => {
  console.log(order.filter((name) => name !== 'interval').join(), order.filter((name) => name === 'interval').length);
  refreshed.refresh();
  console.log('again', refreshed.hasRef(), refreshed._destroyed);
  setTimeout(() => {
    console.log(order.filter((name) => name === 'refreshed').length, refreshed._destroyed);
    sockets();
  }, 200);
}, 400);
function sockets() {
  const server = net.createServer((socket) => {
    let count = 0;
    socket.setTimeout(1000);
    socket.setTimeout(0);
    socket.setTimeout(20, () => console.log('once'));
    socket.on('timeout', () => {
      count++;
      console.log('timeout', count, socket.timeout);
      if (count === 1) socket.write('x');
      else if (count === 2) {
        socket.setTimeout(0);
        socket.setTimeout(20);
      } else {
        socket.setTimeout(0);
        setTimeout(() => { console.log('off', count); socket.end(); server.close(); }, 60);
      }
    });
  });
  server.listen(0, () => net.connect(server.address().port).resume());
}
