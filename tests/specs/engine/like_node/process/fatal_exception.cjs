// process._fatalException calls the listeners of 'uncaughtException'; a program may replace it.
process.once('uncaughtException', (error, origin) => {
  console.log(error.message, origin);
  process.nextTick(() => console.log('later', handled));
});
const handled = process._fatalException(new Error('first'), true);
console.log(handled);
const print = process._fatalException;
process._fatalException = (error, isRejection) => console.log('own', error.message, isRejection);
console.log(print.length, process._fatalException(new Error('second'), false));
