// Structured clone identifies platform objects by their internal state, not by their prototypes.
import crypto from 'node:crypto';
import net from 'node:net';
import { createHistogram } from 'node:perf_hooks';
const { port1, port2 } = new MessageChannel();
const reported = (make) => {
  try {
    const value = make();
    return `${Object.getPrototypeOf(value)?.constructor.name} ${Object.keys(value)}`;
  } catch (error) {
    return `${error.name} ${error.message}`;
  }
};
const posted = (value) => {
  port1.postMessage(value);
  return value;
};
const classes = {
  Blob, File, FormData, URL, URLSearchParams, URLPattern, Response, Request, Headers, Storage, MessagePort, ReadableStream, WritableStream,
  TransformStream, DOMException, QuotaExceededError, AbortSignal, KeyObject: crypto.KeyObject, CryptoKey, BlockList: net.BlockList,
  SocketAddress: net.SocketAddress, X509Certificate: crypto.X509Certificate, Histogram: createHistogram().constructor, Event, EventTarget,
};
for (const [name, { prototype }] of Object.entries(classes)) {
  console.log(name, reported(() => structuredClone(Object.create(prototype))), reported(() => structuredClone({ x: Object.assign(Object.create(prototype), { own: 1 }) }).x));
  console.log(reported(() => posted(Object.create(prototype))));
}
const values = {
  blob: new Blob(['x']), formData: new FormData(), url: new URL('http://x/'), search: new URLSearchParams('a=1'), response: new Response(),
  request: new Request('http://x/'), headers: new Headers(), pattern: new URLPattern({}), list: new net.BlockList(), exception: new DOMException('a'),
  quota: new QuotaExceededError('q'), named: new DOMException('m', 'QuotaExceededError'), event: new Event('x'),
  stream: new ReadableStream(), session: sessionStorage,
};
for (const [name, value] of Object.entries(values)) {
  console.log(name, reported(() => structuredClone(value)), reported(() => posted(value)));
  if (!['blob', 'list', 'exception', 'quota', 'named'].includes(name)) console.log('as an object', reported(() => structuredClone(Object.setPrototypeOf(value, Object.prototype))));
}
port1.close();
