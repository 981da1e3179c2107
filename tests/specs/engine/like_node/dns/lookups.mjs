// dns.lookup with the system's resolver, and invalid arguments; queries are tested elsewhere with a name server.
import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import { inspect, promisify } from 'node:util';

const reported = (e) => `${e?.name} ${e?.code} ${e?.syscall} ${e?.hostname} ${e?.errno} ${e?.message}`;
async function attempt(label, work) {
  try {
    console.log(label, inspect(await work()));
  } catch (error) {
    console.log(label, 'failed:', reported(error));
  }
}
const called = (work) => new Promise((resolve) => { work((error, ...rest) => resolve(error ? reported(error) : [error, ...rest])); });

for (const options of [4, { family: 4 }, { family: 'IPv4' }, { family: 4, all: true }, { family: 4, order: 'ipv6first' }, { family: 4, verbatim: false, all: true }, { hints: dns.ADDRCONFIG, family: 4 }, {}, null]) {
  await attempt(`lookup ${inspect(options)}`, () => called((done) => dns.lookup('127.0.0.1', options, done)));
  if (options?.family || options === 4) await attempt(`localhost ${inspect(options)}`, () => called((done) => dns.lookup('localhost', options, done)));
}
await attempt('v6', () => called((done) => dns.lookup('::1', done)));
await attempt('all of v6', () => dnsPromises.lookup('::1', { all: true }));
await attempt('promise', () => dns.promises.lookup('localhost', { family: 4 }));
await attempt('promisified', () => promisify(dns.lookup)('localhost', 4));
await attempt('missing', () => called((done) => dns.lookup('no-such-host.invalid', done)));
await attempt('missing promise', () => dnsPromises.lookup('no-such-host.invalid'));
await attempt('service', () => called((done) => dns.lookupService('127.0.0.1', 22, done)));
await attempt('service promise', () => dnsPromises.lookupService('127.0.0.1', 80));
for (const work of [() => dns.lookup('x'), () => dns.lookup(1, () => {}), () => dns.lookup('x', { family: 5 }, () => {}), () => dns.lookup('x', 5, () => {}), () => dns.lookup('x', { hints: 7 }, () => {}), () => dns.lookup('x', { order: 'x' }, () => {}), () => dns.lookup('x', { all: 1 }, () => {}), () => dns.lookup('x', 'y', () => {}), () => dns.lookup('', () => {}), () => dns.lookupService('x', 1, () => {}), () => dns.lookupService('1.1.1.1', 70000, () => {}), () => dns.lookupService('1.1.1.1'), () => dns.setDefaultResultOrder('z'), () => dns.resolve('x', 'Z', () => {}), () => dns.resolve4('x'), () => dns.resolve4(1, () => {}), () => dns.reverse('x', () => {}), () => dns.setServers(['x']), () => dns.setServers('x'), () => new dns.Resolver({ timeout: 'x' }), () => new dns.Resolver({ tries: 0 })]) {
  await attempt(String(work), work);
}
dns.setServers(['1.1.1.1', '[2001:4860::1]:53', '[::1]:5353', '8.8.8.8:5300']);
console.log(inspect(dns.getServers()), inspect(dns.promises.getServers()), inspect(new dns.Resolver().getServers().length > 0));
dns.setDefaultResultOrder('ipv4first');
console.log(dns.getDefaultResultOrder(), dnsPromises.getDefaultResultOrder());
console.log(Object.keys(dns).sort().join(), Object.keys(dnsPromises).sort().join());

// Performance entries, and names that are resolved without a server.
{
  const { PerformanceObserver } = await import('node:perf_hooks');
  const entries = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ type: 'dns' });
  await called((done) => dns.lookup('localhost', 4, done));
  await called((done) => dns.lookup('localhost', { family: 4, all: true, order: 'ipv4first' }, done));
  await called((done) => dns.lookup('no-such-host.invalid', done));
  await called((done) => dns.lookup('127.0.0.1', done));
  await called((done) => dns.lookupService('127.0.0.1', 80, done));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  for (const { name, entryType, detail, duration } of entries) console.log(name, entryType, inspect(detail), duration >= 0);
  observer.disconnect();
  for (const name of ['foo.onion', 'a.b.ONION.']) await attempt(name, () => called((done) => dns.resolveMx(name, done)));
}
for (const type of ['HI', 'toString', '__proto__']) await attempt(type, () => called((done) => dns.resolve('localhost', type, done)));
