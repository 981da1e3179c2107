// Heap statistics as metrics libraries read them: names, order, and invariants of their values.
const v8 = require('node:v8'), vm = require('node:vm');
const { format } = require('node:util');
const log = (...args) => process.stdout.write(`${format(...args)}\n`);
const statistics = v8.getHeapStatistics();
log(Object.keys(statistics).join());
log(Object.values(statistics).every((value) => Number.isSafeInteger(value) && value >= 0), statistics.does_zap_garbage, statistics.used_global_handles_size <= statistics.total_global_handles_size);
const before = statistics.number_of_native_contexts;
const contexts = [vm.createContext({}), vm.createContext({})];
log(v8.getHeapStatistics().number_of_native_contexts - before, contexts.length);
const kept = [];
for (let i = 0; i < 1e5; i++) kept.push({ i });
log(v8.getHeapStatistics().total_allocated_bytes > statistics.total_allocated_bytes, kept.length);

const spaces = v8.getHeapSpaceStatistics();
log(spaces.map((space) => space.space_name).join());
log(Object.keys(spaces[1]).join(), Object.getPrototypeOf(spaces[1]) === Object.prototype, v8.getHeapSpaceStatistics() === spaces);
const old = spaces.find((space) => space.space_name === 'old_space');
log(old.space_size > 0, old.space_used_size > 0 && old.space_used_size <= old.space_size, old.physical_space_size > 0);
const sum = spaces.reduce((total, space) => total + space.space_used_size, 0);
log(Math.abs(sum - v8.getHeapStatistics().used_heap_size) < 2 ** 20);

const { javascriptHeap } = process.report.getReport();
log(Object.keys(javascriptHeap).join());
log(Object.keys(javascriptHeap.heapSpaces).join() === spaces.map((space) => space.space_name).join(), Object.keys(javascriptHeap.heapSpaces.old_space).join());
const { capacity, used, available } = javascriptHeap.heapSpaces.old_space;
log(capacity === used + available, used > 0, javascriptHeap.doesZapGarbage, javascriptHeap.nativeContextCount >= before);
