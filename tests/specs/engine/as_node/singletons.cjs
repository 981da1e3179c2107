// Globals that exist once, their accessors, and the classes behind them with receivers of other kinds.
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code}`;
  }
};
const describe = (name) => {
  const { get, set, enumerable } = Object.getOwnPropertyDescriptor(globalThis, name);
  return `${name} ${get.name} ${set?.name} ${enumerable}`;
};
for (const name of ['crypto', 'navigator', 'performance', 'sessionStorage']) {
  const before = describe(name);
  const { get } = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(before, typeof globalThis[name], describe(name) === before, typeof get.call(undefined), attempt(() => typeof get.call({})));
}
for (const name of ['crypto', 'navigator']) {
  (() => {
    'use strict';
    console.log(name, attempt(() => (globalThis[name] = 5)), globalThis[name] === 5);
  })();
}

for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(Navigator.prototype))) {
  if (get !== undefined) console.log(name, set, [Navigator.prototype, {}, undefined].map((each) => attempt(() => get.call(each))).join());
}
console.log(crypto.randomUUID.length, attempt(() => Crypto.prototype.randomUUID.call({})));

const full = Object.getOwnPropertyDescriptor(Performance.prototype, 'onresourcetimingbufferfull');
for (const each of [Performance.prototype, {}, undefined]) console.log(attempt(() => full.get.call(each)), attempt(() => full.set.call(each, () => {})));
console.log(full.get.name, full.set.name, performance.onresourcetimingbufferfull, (performance.onresourcetimingbufferfull = attempt) === performance.onresourcetimingbufferfull);
