const addon = require('./event_loop.node');
addon.begin((what, number) => {
  console.log(what, number);
  if (what === 'closing') process.nextTick(() => console.log('tick'));
  if (what === 'closed') addon.end();
});
console.log('begun');
