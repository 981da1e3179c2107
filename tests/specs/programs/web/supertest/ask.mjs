import { format } from 'node:util';
export const log = (...values) => process.stdout.write(`${format(...values)}\n`);
const HIDDEN = new Set(['date', 'connection', 'keep-alive', 'last-modified', 'x-request-id', 'server']);
export async function ask(base, path, { method = 'GET', headers = {}, body, redirect = 'manual' } = {}) {
  const answer = await fetch(`${base}${path}`, { redirect, method, headers, body });
  const shown = [...answer.headers].filter(([name]) => !HIDDEN.has(name));
  log(method, path, answer.status, answer.statusText, JSON.stringify(shown), (await answer.text()).slice(0, 300));
  return answer;
}
