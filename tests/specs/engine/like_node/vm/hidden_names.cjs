// New contexts have no names of V8 that Node hides.
const vm = require('node:vm');
for (const text of ['"v8BreakIterator" in Intl', 'typeof Intl.Segmenter', 'Object.getOwnPropertyNames(Intl).join()']) {
  for (const sandbox of [{}, vm.constants.DONT_CONTEXTIFY, { Intl: 1, get other() { throw new Error('read'); } }]) {
    try {
      console.log(vm.runInContext(text, vm.createContext(sandbox)));
    } catch (error) {
      console.log(error.name, error.message);
    }
  }
}
