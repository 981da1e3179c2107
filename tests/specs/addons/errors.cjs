const addon = require('./errors.node');
const show = require('./show.cjs');

function caught(run) {
  try { return ['returned', run()]; } catch (error) { return ['threw', error]; }
}

show(addon.made('CODE', 'message'), addon.made(null, 'message'), addon.made(5, 'message'), addon.made('CODE', 5), addon.made('CODE', null));
show(addon.made('CODE', 'message')[0][1].stack.split('\n')[0], addon.made('CODE', 'm')[1][1] instanceof TypeError);
for (const value of [new Error('own'), 'text', undefined, 5, null, { a: 1 }]) show(caught(() => addon.throw_(value)));
for (let kind = 0; kind < 5; kind++) show(caught(() => addon.throw_kind(kind)));
show(caught(() => addon.throw_twice()));
show(caught(() => addon.pass_on(() => 5)), caught(() => addon.pass_on(() => { throw new RangeError('passed on'); })));
const deep = () => addon.pass_on(() => addon.pass_on(() => { throw new Error('deep'); }));
show(caught(deep), addon.statuses());
show(addon.swallow(() => { throw new Error('swallowed'); }), addon.swallow(() => 'fine'), addon.swallow(() => addon.throw_('x')));
show(caught(() => addon.swap(() => { throw new Error('first'); })));
show(addon.is_error(new TypeError()), addon.is_error({ message: '' }), addon.is_error(Object.create(Error.prototype)));
show(addon.none_pending(), addon.info_stays());
const recursion = () => addon.pass_on(recursion);
show(caught(recursion)[1] instanceof RangeError);
process.on('uncaughtException', (error, origin) => show('uncaught', error, origin));
show(addon.fatal(new Error('fatal')), addon.fatal('text'));
setTimeout(() => addon.throw_(new Error('from a timer')), 1);
