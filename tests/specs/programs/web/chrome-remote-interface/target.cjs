function add(a, b) {
  const sum = a + b;
  return sum;
}
console.log('sum', add(1, 2), { nested: [1] });
setTimeout(() => {
  throw new RangeError('lost');
}, 1);
