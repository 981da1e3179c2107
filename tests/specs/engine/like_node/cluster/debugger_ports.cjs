// With a debugger, each worker listens on the port after the last, or on the one that `inspectPort` returns.
const cluster = require('node:cluster');
if (cluster.isWorker) {
  process.send(process.debugPort, () => process.disconnect());
} else {
  process.execArgv.push('--inspect-port=23456'); // sets the port, and does not listen
  process.debugPort = 23456;
  const portOf = (worker) => new Promise((resolve) => worker.once('message', resolve));
  (async () => {
    console.log(await portOf(cluster.fork()), await portOf(cluster.fork()));
    cluster.setupPrimary({ inspectPort: () => 23470 });
    console.log(await portOf(cluster.fork()));
    for (const inspectPort of [null, 70000, 'x']) {
      cluster.setupPrimary({ inspectPort });
      try {
        cluster.fork();
      } catch ({ name, code, message }) {
        console.log(name, code, message);
      }
    }
  })();
}
