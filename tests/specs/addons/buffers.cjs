const addon = require('./buffers.node');
const show = require('./show.cjs');

async function main() {
  show(addon.array_buffer(0), addon.array_buffer(4));
  const whole = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]).buffer;
  show(addon.array_buffer_info(whole), addon.array_buffer_info(new ArrayBuffer(0)), addon.array_buffer_info(new Uint8Array(2)), addon.array_buffer_info({}), whole);
  for (let type = 0; type < 12; type++) {
    if (type < 11) show(type, addon.typed_array(type, 1, whole, 8));
    show(type, addon.typed_array(type, 1, whole, 3), addon.typed_array(type, 99, whole, 0));
  }
  show(addon.typed_array(50, 1, whole, 0), addon.typed_array(1, 1, {}, 0), addon.typed_array(1, -1, whole, 0));
  const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];
  for (const View of views) show(View.name, addon.typed_array_info(new View(whole, 8, 1)));
  show(addon.typed_array_info(new Uint8Array(3)), addon.typed_array_info(new DataView(whole)), addon.typed_array_info(5), addon.typed_array_info(Buffer.from('text')).slice(1, 3));
  show(addon.data_view(4, whole, 2), addon.data_view(40, whole, 2), addon.data_view(1, {}, 0));
  show(addon.data_view_info(new DataView(whole, 3, 5)), addon.data_view_info(new Uint8Array(1)), addon.data_view_info(5));
  const detached = new ArrayBuffer(8);
  const view = new Uint8Array(detached);
  show(addon.detach(detached), addon.array_buffer_info(detached), addon.typed_array_info(view), addon.detach(detached), addon.detach({}), addon.detach(new SharedArrayBuffer(2)));
  show(addon.detach(new WebAssembly.Memory({ initial: 1 }).buffer));

  show(addon.buffer(3), addon.buffer(0), addon.buffer_copy(), Buffer.isBuffer(addon.buffer(1)[1]), addon.buffer(2)[1].toString('hex'));
  const [, external] = addon.external_buffer();
  show(external, Buffer.isBuffer(external), addon.external_array_buffer());
  for (const value of [external, Buffer.from('abc'), new Uint16Array(2), new DataView(whole), whole, {}, 5]) show(addon.buffer_info(value));
  show(addon.buffer_of(whole, 2, 3), addon.buffer_of(whole, 2, 300), addon.buffer_of({}, 0, 0)[0], Buffer.isBuffer(addon.buffer_of(whole, 0, 1)[1]));
  show(addon.external_texts());

  const shared = new SharedArrayBuffer(16);
  show(addon.typed_array(1, 4, shared, 8), addon.typed_array(7, 1, shared, 3), addon.data_view(4, shared, 2), addon.data_view(40, shared, 2));
  const [, outside] = addon.external_array_buffer();
  for (const buffer of [outside, external.buffer]) {
    try {
      new MessageChannel().port1.postMessage(buffer, [buffer]);
    } catch (error) {
      show(error.name, error.code);
    }
  }
}

main().then(async () => {
  for (let index = 0; index < 5; index++) {
    globalThis.gc();
    await new Promise((resolve) => { setTimeout(resolve, 1); });
  }
  show('finalized', addon.finalizers());
});
