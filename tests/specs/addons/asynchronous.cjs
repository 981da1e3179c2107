const { AsyncLocalStorage } = require('node:async_hooks');
const addon = require('./asynchronous.node');
const show = require('./show.cjs');

const turn = () => new Promise((resolve) => { setImmediate(resolve); });
const storage = new AsyncLocalStorage();

async function promises() {
  const [, first] = addon.promise();
  show(addon.is_promise(first), addon.is_promise({ then() {} }), addon.settle(true, 5), await first);
  const [, second] = addon.promise();
  addon.settle(false, new RangeError('rejected'));
  await second.catch((error) => show(error));
  const [, third] = addon.promise();
  addon.settle(true, Promise.resolve('adopted'));
  show(await third);
}

async function works() {
  await new Promise((resolve) => {
    show(addon.work(21, (status, output) => {
      show('complete', status, output);
      process.nextTick(() => show('tick'));
      Promise.resolve().then(() => show('microtask'));
      setImmediate(resolve);
    }));
  });
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  addon.close_gate();
  const outcomes = [];
  const done = Promise.all(Array.from({ length: threads + 1 }, (_, index) => new Promise((resolve) => {
    addon.work(index, (status, output) => resolve(outcomes.push([index, status, output])));
  })));
  show('cancelled', addon.cancel(), addon.cancel());
  await turn();
  addon.open_gate();
  await done;
  show(outcomes.sort(([one], [other]) => one - other), addon.wrong_work());
  process.once('uncaughtException', (error) => show('uncaught', error));
  await new Promise((resolve) => { addon.work(1, () => setImmediate(resolve), true); });
}

async function calls() {
  for (const [threads, count, most, blocks] of [[1, 10, 0, false], [4, 500, 0, true], [1, 50, 2, true], [2, 20, 1, false]]) {
    let sum = 0;
    let seen = 0;
    await new Promise((resolve) => {
      show(addon.threads((value) => { sum += value; if (++seen === threads * count) resolve(); }, threads, count, most, blocks, false));
    });
    while (addon.counts()[0] === 0) await turn();
    show(threads, sum, seen);
  }
  let plain = 0;
  await new Promise((resolve) => { addon.threads(() => { if (++plain === 5) resolve(); }, 1, 5, 0, true, true); });
  const order = [];
  show(addon.own_calls((value) => { order.push(value); process.nextTick(() => order.push('tick')); if (value === 2) throw new Error('from a call'); }));
  process.once('uncaughtException', (error) => order.push(error.message));
  await turn();
  await turn();
  show(order, addon.release_calls(), addon.unref_calls());
  await turn();
  await turn();
  show(addon.own_calls(() => show('never called')), addon.abort_calls(), addon.wrong_calls(() => {}));
  await turn();
  await turn();
}

function callbacks() {
  storage.run('around', () => show(addon.make_callback({ self: 1 }, function (value) { return [this, value, storage.getStore()]; }, 'value')));
  show(addon.make_callback({}, () => { throw new Error('thrown'); }, 1), addon.make_callback(5, () => 6, 1), addon.make_callback({}, 5, 1));
  show(addon.callback_scope(() => show('in a scope')));
}

async function main() {
  await promises();
  await works();
  await calls();
  callbacks();
  addon.own_calls(() => {});
  addon.unref_calls(); // else the program would never end
}
main();
