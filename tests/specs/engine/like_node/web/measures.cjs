// `performance.measure` with starts, ends and options of all kinds, and details that are cloned.
const vm = require('node:vm');
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const label = (value) => (typeof value === 'symbol' || typeof value === 'function' ? typeof value : typeof value === 'bigint' ? `${value}n` : JSON.stringify(value));
performance.mark('m', { startTime: 3 });
const STARTS = [
  undefined, null, 0, 5, -1, 'm', '5', 'none', '', true, Symbol('s'), () => {}, 2n, {}, [], [1], { start: 1 }, { end: 2 }, { duration: 1 },
  { start: 1, end: 2 }, { start: 1, duration: 2 }, { end: 5, duration: 2 }, { start: 1, end: 2, duration: 3 }, { detail: 1 }, { x: 1 },
  { start: null }, { end: null }, { start: 'm' }, { start: 'none' }, { duration: -1 }, { start: -1 }, Object.create({ start: 7 }),
];
for (const start of STARTS) {
  for (const end of ['m', null, 4, 'none', true]) {
    console.log(label(start), label(end), attempt(() => {
      const { startTime, duration, detail } = performance.measure('x', start, end);
      return [startTime, duration, detail].join();
    }));
  }
}

const blob = new Blob(['text']);
const { detail } = performance.mark('blob', { detail: { blob, at: new Date(0) } });
detail.blob.text().then((text) => console.log(text, detail.blob !== blob, detail.at));
const context = vm.createContext({ performance, PerformanceMark, DOMException });
for (const code of ["new PerformanceMark('a', { detail: Symbol('s') })", "performance.measure('a', { start: 0, detail: () => {} })"]) {
  console.log(vm.runInContext(`try { ${code} } catch (error) { [error.name, error.constructor === DOMException, error.message].join() }`, context));
}
