// Bodies made of bytes are copies: later changes to the source bytes, to bytes read from another body with the same
// source, or to those of a clone are not visible. For small and large bodies, used once and repeatedly.
const sizes = [10, 5000, 65536, 300_000];
const forms = { array: (view) => view, buffer: (view) => view.buffer, data: (view) => new DataView(view.buffer) };
const first = async (response) => (await response.bytes())[0];
for (const size of sizes) {
  for (const name of Object.keys(forms)) {
    const view = new Uint8Array(size).fill(1);
    const given = forms[name](view);
    const reported = [];
    const responses = Array.from({ length: 4 }, () => new Response(given));
    view[0] = 2;
    responses.push(new Response(given), new Request('http://a/', { method: 'POST', body: given }));
    const read = await responses[0].bytes();
    read[0] = 3;
    new Uint8Array(await responses[1].arrayBuffer())[0] = 4;
    for (const response of responses.slice(2)) reported.push(await first(response));
    responses.push(new Response(given), new Response(given));
    (await responses.at(-1).bytes())[0] = 5;
    reported.push(await first(new Response(given)), await first(responses.at(-2)), new Response(given).headers.get('content-type'));
    const one = new Response(given);
    const other = one.clone();
    (await one.bytes())[0] = 6;
    reported.push(await first(other), (await new Response(given).text()).length, (await new Response(given).blob()).size);
    console.log(size, name, ...reported);
  }
}
// The same with the other methods that read a body.
const view = new Uint8Array(5000).fill(49);
const bodies = Array.from({ length: 6 }, () => new Response(view));
for (const way of ['arrayBuffer', 'bytes', 'blob', 'text', 'json']) {
  const value = await bodies.pop()[way]().catch(({ name }) => name);
  if (way === 'arrayBuffer') new Uint8Array(value)[0] = 0;
  if (way === 'bytes') value[0] = 0;
  console.log(way, (await new Response(view).bytes())[0], view[0]);
}
for await (const chunk of bodies.pop().body) chunk[0] = 0;
console.log('stream', (await new Response(view).bytes())[0], view[0]);
