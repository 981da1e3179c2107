import { TRPCError, initTRPC, tracked } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { TRPCClientError, createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, splitLink } from '@trpc/client';
import { once } from 'node:events';
import { z } from 'zod';
import { format } from 'node:util';

const log = (...values: unknown[]) => process.stdout.write(`${format(...values)}\n`);

type Context = { user: string | null };
const t = initTRPC.context<Context>().meta<{ admin?: boolean }>().create({ errorFormatter: ({ shape, error }) => ({ ...shape, data: { ...shape.data, stack: undefined, issues: error.cause instanceof z.ZodError ? error.cause.issues : null } }) });
const timed = t.procedure.use(async ({ path, type, next }) => { const result = await next(); if (type === 'mutation') log('[middleware]', path, type, result.ok); return result; });
const guarded = timed.use(({ ctx, next }) => { if (!ctx.user) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'who are you?' }); return next({ ctx: { user: ctx.user } }); });
const notes: { id: number; text: string }[] = [];
const appRouter = t.router({
  hello: timed.input(z.object({ name: z.string().min(2) }).optional()).query(({ input }) => `hello ${input?.name ?? 'world'}`),
  notes: t.router({
    add: guarded.input(z.object({ text: z.string() })).output(z.object({ id: z.number() })).mutation(({ input, ctx }) => { notes.push({ id: notes.length + 1, text: `${input.text} by ${ctx.user}` }); return { id: notes.length, hidden: true }; }),
    list: timed.query(() => notes),
  }),
  fails: timed.query(() => { throw new Error('inside'); }),
  slow: timed.query(async function* () { for (let n = 0; n < 3; n++) yield n; }),
  ticks: timed.input(z.number()).subscription(async function* ({ input }) { for (let n = 0; n < input; n++) yield tracked(String(n), { n }); }),
  badOutput: timed.output(z.string()).query(() => 1 as never),
});
type AppRouter = typeof appRouter;
const createContext = ({ req }: { req: { headers: Headers | Record<string, unknown> } }): Context => ({ user: (req.headers instanceof Headers ? req.headers.get('x-user') : (req.headers['x-user'] as string)) ?? null });
const server = createHTTPServer({ router: appRouter, createContext, onError: ({ error, path }) => log('[onError]', path, error.code) });
server.listen(0);
await once(server, 'listening');
const url = `http://localhost:${(server.address() as { port: number }).port}`;
const tried = async (name: string, work: () => unknown) => { try { log(name, await work()); } catch (error) { log(name, error instanceof TRPCClientError ? [error.message, JSON.stringify(error.data)] : error); } };
for (const link of [httpLink, httpBatchLink, httpBatchStreamLink]) {
  const client = createTRPCClient<AppRouter>({ links: [link({ url, headers: { 'x-user': 'ann' } })] });
  await tried('hello', () => client.hello.query());
  await tried('both', () => Promise.all([client.hello.query({ name: 'Bob' }), client.notes.list.query()]));
  await tried('add', () => client.notes.add.mutate({ text: 'note' }));
  await tried('invalid', () => client.hello.query({ name: 'x' }));
  await tried('fails', () => client.fails.query());
  await tried('badOutput', () => client.badOutput.query());
}
const anonymous = createTRPCClient<AppRouter>({ links: [splitLink({ condition: ({ type }) => type === 'query', true: httpBatchStreamLink({ url }), false: httpLink({ url }) })] });
await tried('unauthorized', () => anonymous.notes.add.mutate({ text: 'x' }));
await tried('stream', async () => { const all: number[] = []; for await (const n of await anonymous.slow.query()) all.push(n); return all; });
await tried('list', () => anonymous.notes.list.query());
const caller = t.createCallerFactory(appRouter)({ user: 'caller' });
log(await caller.notes.add({ text: 'direct' }), await caller.hello({ name: 'direct' }));
await caller.hello({ name: 'x' }).catch((error) => log(error.code, error.cause.issues.length));
const events = await fetch(`${url}/ticks?input=2`, { headers: { accept: 'text/event-stream' } });
log(events.status, events.headers.get('content-type'), (await events.text()).replace(/: .*\n/g, (line) => line));
for (const [path, options] of [['/none'], ['/notes.add', {}], ['/hello', { method: 'POST' }], ['/hello?input=%7B'], ['/hello,notes.list?batch=1&input=%7B%7D']] as [string, RequestInit?][]) {
  const answer = await fetch(url + path, options);
  log(path, answer.status, answer.headers.get('content-type'), await answer.text());
}
const viaFetch = await fetchRequestHandler({ endpoint: '/trpc', req: new Request('http://x/trpc/hello'), router: appRouter, createContext: () => ({ user: null }) });
log(viaFetch.status, await viaFetch.text());
server.close(); server.closeAllConnections();
