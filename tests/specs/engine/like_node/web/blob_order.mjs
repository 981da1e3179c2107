// The order in which Blob reads its parts, and the lengths of the console's methods.
const told = [];
const value = (name) => ({
  toString() {
    told.push(`${name} as text`);
    return name;
  },
});
const parts = {
  get [Symbol.iterator]() {
    told.push('iterator');
    return Array.prototype[Symbol.iterator];
  },
  get length() {
    told.push('length');
    return 2;
  },
  get 0() {
    told.push('0');
    return value('a\r\nb');
  },
  get 1() {
    told.push('1');
    return new Blob(['c\r\n']);
  },
};
const options = {
  get type() {
    told.push('type');
    return value('text/PLAIN');
  },
  get endings() {
    told.push('endings');
    return value('native');
  },
};
const blob = new Blob(parts, options);
console.log(told.join(), blob.type, JSON.stringify(await blob.text()));

told.length = 0;
const failing = {
  *[Symbol.iterator]() {
    yield value('a');
    throw new Error('no more');
  },
};
try {
  new Blob(failing, options);
} catch (error) {
  console.log(error.message, told.join());
}
try {
  new Blob([], { endings: 'other', type: value('never') });
} catch (error) {
  console.log(error.name, error.code);
}
console.log(
  ['assert', 'count', 'countReset', 'dir', 'log', 'table', 'time', 'timeEnd', 'timeLog'].map((name) => console[name].length).join(),
);
