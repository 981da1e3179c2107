// The order in which Blob reads its parts, and the lengths of the console's methods.
const reported = [];
const value = (name) => ({
  toString() {
    reported.push(`${name} as text`);
    return name;
  },
});
const parts = {
  get [Symbol.iterator]() {
    reported.push('iterator');
    return Array.prototype[Symbol.iterator];
  },
  get length() {
    reported.push('length');
    return 2;
  },
  get 0() {
    reported.push('0');
    return value('a\r\nb');
  },
  get 1() {
    reported.push('1');
    return new Blob(['c\r\n']);
  },
};
const options = {
  get type() {
    reported.push('type');
    return value('text/PLAIN');
  },
  get endings() {
    reported.push('endings');
    return value('native');
  },
};
const blob = new Blob(parts, options);
console.log(reported.join(), blob.type, JSON.stringify(await blob.text()));

reported.length = 0;
const failing = {
  *[Symbol.iterator]() {
    yield value('a');
    throw new Error('no more');
  },
};
try {
  new Blob(failing, options);
} catch (error) {
  console.log(error.message, reported.join());
}
try {
  new Blob([], { endings: 'other', type: value('never') });
} catch (error) {
  console.log(error.name, error.code);
}
console.log(
  ['assert', 'count', 'countReset', 'dir', 'log', 'table', 'time', 'timeEnd', 'timeLog'].map((name) => console[name].length).join(),
);
