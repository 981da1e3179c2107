// BroadcastChannel messages read out of turn with receiveMessageOnPort, and those delivered as events.
const { BroadcastChannel, Worker, isMainThread, receiveMessageOnPort } = require('node:worker_threads');
const log = (...args) => process.stdout.write(`${args.map((each) => JSON.stringify(each) ?? String(each)).join(' ')}\n`);

async function main() {
  const [one, two, three] = [1, 2, 3].map(() => new BroadcastChannel('c'));
  one.postMessage({ first: 1 });
  one.postMessage('second');
  log(receiveMessageOnPort(two), receiveMessageOnPort(two), receiveMessageOnPort(two), receiveMessageOnPort(one));
  two.onmessage = ({ data }) => log('two', data);
  three.onmessage = ({ data }) => log('three', data);
  one.postMessage('third');
  log(receiveMessageOnPort(three));
  await new Promise((resolve) => setTimeout(resolve, 5));
  three.postMessage('fourth');
  three.close();
  log(receiveMessageOnPort(one), receiveMessageOnPort(one), receiveMessageOnPort(one));
  two.close();
  const worker = new Worker(__filename);
  await new Promise((resolve) => worker.once('message', resolve));
  log(receiveMessageOnPort(one), receiveMessageOnPort(one));
  const come = new Promise((resolve) => (one.onmessage = resolve));
  worker.postMessage('go on');
  log((await come).data);
  one.close();
  for (const wrong of [undefined, {}, new EventTarget()]) {
    try {
      receiveMessageOnPort(wrong);
    } catch ({ name, code, message }) {
      log(name, code, message);
    }
  }
}

function other() {
  const { parentPort } = require('node:worker_threads');
  const channel = new BroadcastChannel('c');
  channel.postMessage('from a worker');
  parentPort.postMessage('posted');
  parentPort.once('message', () => {
    channel.postMessage('and another');
    channel.close();
  });
}
if (isMainThread) main();
else other();
