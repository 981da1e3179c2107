// Transferred streams and abort signals: with structuredClone, and through ports within a thread and between threads.
import { Worker, MessageChannel } from 'node:worker_threads';
import { transferableAbortController, transferableAbortSignal, inspect } from 'node:util';
import { once } from 'node:events';

const alive = setInterval(() => {}, 1000); // transferred streams alone do not keep Node alive
const say = async (name, work) => {
  let said;
  try {
    said = inspect(await work(), { depth: 4, compact: true, breakLength: Infinity });
  } catch (error) {
    said = `${error.name} ${error.code} ${error.message}`;
  }
  console.log(name, said);
};
const all = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
};
const moved = (value, ...rest) => structuredClone(value, { transfer: [value, ...rest] });
const of = (...chunks) => ReadableStream.from(chunks);

await say('readable', async () => {
  const stream = of('a', { b: [1n] }, new Uint8Array(2));
  const { x } = structuredClone({ x: stream }, { transfer: [stream] });
  return [await all(x), stream === x];
});
await say('writable', async () => {
  const got = [];
  const { promise, resolve } = Promise.withResolvers();
  const writer = moved(new WritableStream({ write: (chunk) => void got.push(chunk), close: resolve })).getWriter();
  await writer.write('x');
  await writer.write('y');
  await writer.close();
  await promise;
  return got;
});
await say('transform', async () => {
  const { readable, writable } = moved(new TransformStream({ transform: (chunk, out) => out.enqueue(chunk * 2) }));
  const writer = writable.getWriter();
  writer.write(21);
  writer.write(4).then(() => writer.close());
  return all(readable);
});
await say('error of the source', () => all(moved(new ReadableStream({ start: (own) => own.error(new RangeError('mine')) }))));
await say('cancel', async () => {
  const { promise, resolve } = Promise.withResolvers();
  const stream = moved(new ReadableStream({ cancel: resolve }));
  await stream.cancel('enough');
  return promise;
});
await say('abort', async () => {
  const { promise, resolve } = Promise.withResolvers();
  await moved(new WritableStream({ abort: resolve })).abort('over');
  return promise;
});
await say('what cannot be cloned', () => all(moved(of(() => {}))));
await say('not in the list', () => structuredClone({ x: new ReadableStream() }));
for (const Stream of [ReadableStream, WritableStream]) {
  await say('locked', () => {
    const stream = new Stream();
    Stream === ReadableStream ? stream.getReader() : stream.getWriter();
    return moved(stream);
  });
}
await say('signal', async () => {
  const controller = new AbortController();
  const copy = moved(transferableAbortSignal(controller.signal));
  const before = copy.aborted;
  setImmediate(() => controller.abort('why'));
  await once(copy, 'abort');
  return [before, copy.aborted, copy.reason, copy instanceof AbortSignal];
});
await say('signal that was aborted', () => {
  const controller = transferableAbortController();
  controller.abort('before');
  const copy = moved(controller.signal);
  return [copy.aborted, copy.reason];
});
await say('plain signal', () => moved(AbortSignal.abort('no')));
await say('port', async () => {
  const { port1, port2 } = new MessageChannel();
  const stream = of(1, 2);
  port1.postMessage({ stream }, [stream]);
  const [{ stream: other }] = await once(port2, 'message');
  const chunks = await all(other);
  port1.close();
  return chunks;
});
await say('worker', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const alive = setInterval(() => {}, 1000);
     parentPort.once('message', async ({ input, output, signal, port }) => {
       const writer = output.getWriter();
       for await (const chunk of input) await writer.write(chunk + '!');
       signal.onabort = () => writer.write('aborted ' + signal.reason).then(() => writer.close()).then(() => clearInterval(alive));
       port.postMessage('ready');
     });`,
    { eval: true },
  );
  const controller = transferableAbortController();
  const { readable, writable } = new TransformStream();
  const { port1, port2 } = new MessageChannel();
  const message = { input: of('a', 'b'), output: writable, signal: controller.signal, port: port2 };
  worker.postMessage(message, Object.values(message));
  port1.once('message', () => controller.abort('now'));
  const chunks = await all(readable);
  await once(worker, 'exit');
  return chunks;
});
clearInterval(alive);
