// Serves the build: the page, the API, a missing page.
process.env.NITRO_PORT = '0';
process.env.NITRO_UNIX_SOCKET = `${import.meta.dirname}/socket`;
import http from 'node:http';

const get = (path) =>
  new Promise((done, failed) => {
    http
      .get({ socketPath: process.env.NITRO_UNIX_SOCKET, path }, async (response) => done([response.statusCode, (await response.toArray()).join('')]))
      .on('error', failed);
  });
await import('./.output/server/index.mjs');
console.log((await get('/'))[1].match(/<h1>.*?<\/h1>/)[0]);
console.log(...(await get('/api/hi')));
console.log((await get('/api/missing'))[0]);
process.exit(0);
