import http from 'node:http';
import https from 'node:https';

/** Returns status, one header and body of a request of node:http or node:https. */
export const ask = (url, { body, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, options, (response) => {
      let text = '';
      response.on('data', (piece) => (text += piece));
      response.on('end', () => resolve([response.statusCode, response.headers['x-a'], text].join(' ')));
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.end(body);
  });

export const get = async (url, options) => {
  const response = await fetch(url, options);
  return [response.status, response.headers.get('x-a') ?? '', await response.text()].join(' ');
};

export async function step(name, work) {
  try {
    console.log(name, JSON.stringify(await work()));
  } catch (error) {
    console.log(name, 'ERR', error.name, error.message.replace(/:\d+/g, ''), error.code);
  }
}

/** A real server. */
export async function serve() {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end(`real ${request.url}`)));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, place: `http://127.0.0.1:${server.address().port}` };
}
