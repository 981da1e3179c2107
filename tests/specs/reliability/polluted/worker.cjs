require('worker_threads').parentPort.postMessage({ five: 5 });
