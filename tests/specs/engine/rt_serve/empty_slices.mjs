// Empty slices of a file: a response without bytes that states their position.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';

const folder = mkdtempSync('/tmp/rt-slices-');
writeFileSync(`${folder}/f.txt`, '0123456789');
const server = RT.serve({
  port: 0,
  fetch(request) {
    const { searchParams } = new URL(request.url);
    const headers = searchParams.has('told') ? { 'Content-Range': 'bytes 1-1/10' } : {};
    const part = RT.file(`${folder}/f.txt`).slice(Number(searchParams.get('start')), Number(searchParams.get('end')));
    return new Response(part, { headers });
  },
});
for (const [start, end] of [[0, 0], [1, 1], [10, 10], [99, 99], [5, 2], [NaN, NaN], [3, NaN], [0, 10], [0, 99], [1, 3]]) {
  for (const told of ['', '&told']) {
    const answer = await fetch(`${server.url}?start=${start}&end=${end}${told}`);
    console.log(start, end, told, answer.status, answer.headers.get('content-range'), JSON.stringify(await answer.text()));
  }
}
server.stop(true);
rmSync(folder, { recursive: true });
