// Calls of an iterator that overlap or end early are answered in order, and pipes end as their streams do.
const log = [];
const note = (name) => (result) => log.push(`${name} ${JSON.stringify(result)}`);
const failed = (name) => (error) => log.push(`${name} failed: ${error?.message ?? error}`);

async function overlapping(strategy) {
  let count = 0;
  const stream = new ReadableStream({ pull: (c) => (count++ < 5 ? c.enqueue(count) : c.close()) }, strategy);
  const it = stream.values();
  const calls = [];
  for (let index = 0; index < 4; index++) calls.push(it.next().then(note(`next ${index}`)));
  await Promise.all(calls);
  calls.push(it.next().then(note('single')), it.return('r').then(note('return')), it.next().then(note('after')));
  await Promise.all(calls);
  console.log(log.splice(0).join(', '), stream.locked);
}
await overlapping({ highWaterMark: 0 });
await overlapping({ highWaterMark: 3 });

async function pipe(name, source, sink, options) {
  const readable = new ReadableStream(source);
  const writable = new WritableStream(sink);
  await readable.pipeTo(writable, options).then(note(name), failed(name));
  console.log(log.splice(0).join(', '), readable.locked, writable.locked);
}
const three = () => {
  let count = 0;
  return { pull: (c) => (count++ < 3 ? c.enqueue(count) : c.close()), cancel: (reason) => log.push(`cancelled: ${reason}`) };
};
const sink = (extra) => ({
  write: async (chunk) => {
    await new Promise(setImmediate);
    log.push(`wrote ${chunk}`);
  },
  close: () => log.push('closed'),
  abort: (reason) => log.push(`aborted: ${reason}`),
  ...extra,
});
await pipe('plain', three(), sink());
await pipe('open', three(), sink(), { preventClose: true });
await pipe('write fails', three(), sink({ write: (chunk) => chunk > 1 && Promise.reject('full') }));
await pipe('close fails', three(), sink({ close: () => Promise.reject('unclosed') }));
let left = 2;
await pipe('source fails', { pull: (c) => (left-- > 0 ? c.enqueue(left) : c.error('dry')) }, sink());
const abort = new AbortController();
await pipe('aborted', three(), sink({ write: () => abort.abort('enough') }), { signal: abort.signal });
