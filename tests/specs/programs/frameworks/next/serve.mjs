// Serves the build: a page, the route, a missing page.
import { createServer } from 'node:http';
import next from 'next';

const app = next({ dev: false, dir: import.meta.dirname });
await app.prepare();
const server = createServer(app.getRequestHandler());
await new Promise((done) => server.listen(0, done));
const base = `http://localhost:${server.address().port}`;
const page = await (await fetch(base)).text();
console.log(page.match(/<h1[^>]*>.*?<\/h1>/)[0]);
console.log(await (await fetch(`${base}/api/hi?name=you`)).text());
console.log((await fetch(`${base}/missing`)).status);
process.exit(0);
