import OpenAI, { toFile } from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import fs from 'node:fs';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
const c = new OpenAI({ apiKey: 'k', baseURL: base + '/v1', maxRetries: 2 });
const messages = [{ role: 'user', content: 'hi' }];
await t('chat', async () => {
  const r = await c.chat.completions.create({ model: 'm', messages });
  return [r.choices[0].message, r._request_id];
});
await t('stream', async () => {
  const s = await c.chat.completions.create({ model: 'm', messages, stream: true });
  let o = '';
  for await (const e of s) o += e.choices[0].delta.content;
  return o;
});
await t('helper', async () => {
  const s = c.chat.completions.stream({ model: 'm', messages });
  return await s.finalChatCompletion().catch((e) => e.message);
});
await t('tee', async () => {
  const [a, b] = (await c.chat.completions.create({ model: 'm', messages, stream: true })).tee();
  const g = async (s) => {
    let n = 0;
    for await (const _ of s) n++;
    return n;
  };
  return [await g(a), await g(b)];
});
await t('readable', async () => {
  const s = await c.chat.completions.create({ model: 'm', messages, stream: true });
  return (await new Response(s.toReadableStream()).text()).length;
});
await t('file', () => c.files.create({ file: fs.createReadStream(new URL(import.meta.url)), purpose: 'x' }));
await t('toFile', async () => c.files.create({ file: await toFile(Buffer.from('x'.repeat(200)), 'n.txt'), purpose: 'x' }));
await t('File', () => c.files.create({ file: new File(['y'.repeat(200)], 'm.txt'), purpose: 'x' }));
await t('Response', async () => c.files.create({ file: await fetch(base + '/big'), purpose: 'x' }));
await t('401', () => c.models.list());
await t('retry', () => c.embeddings.create({ model: 'm', input: 'x', encoding_format: 'float' }));
await t('timeout', () => c.get('/../slow', { timeout: 50, maxRetries: 0 }));
await t('abort', () => c.chat.completions.create({ model: 'm', messages }, { signal: AbortSignal.abort() }));
await t('conn', () => new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:2', maxRetries: 0 }).models.list());
const a = new Anthropic({ apiKey: 'k', baseURL: base, maxRetries: 0 });
await t('msg', async () => (await a.messages.create({ model: 'x', max_tokens: 5, messages })).content);
await t('msg stream', async () => (await a.messages.stream({ model: 'x', max_tokens: 5, messages }).finalMessage()).content);
stop();
