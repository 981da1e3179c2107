// How many turns the promises of Web streams take to settle, the order in which options are read, and what is left
// untouched.
async function turns(promise) {
  let count = 0;
  let isSettled = false;
  const settle = () => (isSettled = true);
  promise.then(settle, settle);
  for (; !isSettled; count++) await null;
  return count;
}
const started = () => new Promise((resolve) => setImmediate(resolve));

for (const [kind, give] of [
  ['a value', () => undefined],
  ['a promise', () => Promise.resolve()],
]) {
  const writer = new WritableStream({ write: give, close: give, abort: give }).getWriter();
  await started();
  console.log(kind, 'write', await turns(writer.write(1)), 'close', await turns(writer.close()));
  const aborted = new WritableStream({ abort: give });
  await started();
  console.log('abort', await turns(aborted.abort()));
  const source = {
    pull(controller) {
      controller.enqueue(1);
      return give();
    },
    cancel: give,
  };
  const reader = new ReadableStream(source, { highWaterMark: 0 }).getReader();
  await started();
  console.log('read', await turns(reader.read()), 'cancel', await turns(reader.cancel()));
  const transform = new TransformStream({ transform: give, flush: give, cancel: give });
  const input = transform.writable.getWriter();
  transform.readable.getReader().read();
  await started();
  console.log('write', await turns(input.write(1)), 'close', await turns(input.close()));
  const cancelled = new TransformStream({ cancel: give });
  await started();
  console.log('cancel', await turns(cancelled.readable.cancel()));
}

// Two aborts share one promise; simultaneous ends are reported in the standard's order.
const twice = new WritableStream().getWriter();
console.log(twice.abort('a') === twice.abort('b'));
const order = [];
let endWrite;
const slow = new WritableStream({ write: () => new Promise((resolve, reject) => (endWrite = reject)) }).getWriter();
await started();
const report = (name) => () => order.push(name);
slow.closed.catch(report('closed'));
slow.write('a').catch(report('write'));
slow.abort('gone').catch(report('abort')).then(report('abort'));
await started();
endWrite(new Error('failed'));
await started();
console.log(order.join());

// A stream that is cancelled and errored before it has started.
for (const act of ['error', 'terminate']) {
  let controller;
  const stream = new TransformStream({ start: (given) => void (controller = given) });
  const cancelled = stream.readable.cancel(new Error('no'));
  controller[act](new Error('yes'));
  const settled = await Promise.allSettled([cancelled, stream.writable.getWriter().closed]);
  console.log(act, settled.map(({ status, reason }) => `${status} ${reason?.message}`).join());
}

const names = ['preventAbort', 'preventCancel', 'preventClose', 'signal'];
for (const method of ['pipeTo', 'pipeThrough']) {
  for (const last of names) {
    const touched = [];
    const options = {};
    for (const name of [...names].reverse())
      Object.defineProperty(options, name, {
        get() {
          touched.push(name);
          if (name === last) throw new Error(`${name} throws`);
          return undefined;
        },
      });
    const pair = new TransformStream();
    try {
      await new ReadableStream()[method](method === 'pipeTo' ? pair.writable : pair, options);
    } catch (error) {
      console.log(method, error.message, touched.join());
    }
  }
}

for (const name of ['highWaterMark', 'size', 'start', 'pull', 'type', 'mode', 'object'])
  Object.defineProperty(Object.prototype, name, {
    get() {
      throw new Error(`${name} is read`);
    },
    set() {
      throw new Error(`${name} is set`);
    },
    configurable: true,
  });
new ReadableStream().tee();
new TransformStream();
new WritableStream();
for (const name of ['highWaterMark', 'size', 'start', 'pull', 'type', 'mode', 'object']) delete Object.prototype[name];

// Wrong receivers, and the lengths of classes without a public constructor.
for (const receiver of [null, undefined, 1, {}]) {
  for (const call of [
    () => ReadableStreamDefaultReader.prototype.read.call(receiver),
    () => ReadableStreamDefaultReader.prototype.releaseLock.call(receiver),
    () => ReadableStreamBYOBReader.prototype.cancel.call(receiver),
    () => Object.getOwnPropertyDescriptor(WritableStreamDefaultWriter.prototype, 'closed').get.call(receiver),
    () => WritableStreamDefaultWriter.prototype.write.call(receiver),
    () => WritableStreamDefaultController.prototype.error.call(receiver),
    () => Object.getOwnPropertyDescriptor(TransformStream.prototype, 'readable').get.call(receiver),
    () => WritableStream.prototype.abort.call(receiver),
    () => ReadableStream.prototype.pipeTo.call(receiver),
    () => TextDecoder.prototype.decode.call(receiver),
  ]) {
    try {
      await call().then(undefined, (error) => Promise.reject(Object.assign(error, { isRejected: true })));
    } catch (error) {
      console.log(error.isRejected ?? false, error.code, error.message);
    }
  }
}
console.log(
  [
    ReadableStreamDefaultController,
    ReadableByteStreamController,
    ReadableStreamBYOBRequest,
    WritableStreamDefaultController,
    TransformStreamDefaultController,
  ].map((Class) => Class.length),
);
for (const name of Object.getOwnPropertyNames(TextEncoder.prototype)) {
  if (name === 'constructor') continue;
  const { get, value } = Object.getOwnPropertyDescriptor(TextEncoder.prototype, name);
  try {
    console.log((get ?? value).call({}));
  } catch (error) {
    console.log(name, error.name);
  }
}

// Transferred bytes are not accepted as bytes.
const decoder = new TextDecoderStream();
const out = decoder.readable.getReader();
const into = decoder.writable.getWriter();
for (const bytes of [new Uint8Array([0xf0, 0x9f]), new ArrayBuffer(4), new DataView(new ArrayBuffer(4))]) {
  structuredClone(bytes, { transfer: [bytes.buffer ?? bytes] });
  into.write(bytes);
}
into.write(new Uint8Array([0x61]));
console.log(JSON.stringify(await out.read()));
