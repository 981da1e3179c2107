const addon = require('./references.node');
const show = require('./show.cjs');

/** Collects garbage and lets the pending finalizers run. */
async function collected() {
  for (let index = 0; index < 3; index++) {
    globalThis.gc();
    await new Promise((resolve) => { setImmediate(resolve); });
  }
}

async function main() {
  const object = {};
  show(addon.wrap(object, 0), addon.unwrap(object), addon.wrap(object, 0), addon.remove_wrap(object), addon.unwrap(object));
  show(addon.wrap(object, 1), addon.remove_wrap(object), addon.wrap(object, 2), addon.remove_wrap(object), addon.wrap({}, 3));
  show(addon.wrap(5, 0), addon.unwrap(5), addon.unwrap({}), addon.remove_wrap(undefined), addon.wrap(Object.freeze({}), 1));
  show(addon.finalizers());
  (() => { for (let index = 0; index < 10; index++) addon.wrap({}, 0); })();
  (() => { for (let index = 0; index < 10; index++) addon.wrap(() => index, 1); })();
  await collected();
  show('collected', addon.finalizers());
  (() => { show(addon.add_finalizer({}), addon.add_finalizer(5)); })();
  await collected();
  show(addon.finalizers());

  (() => { show(addon.keep({ strong: 1 }, 1)); })();
  await collected();
  show(addon.kept_value(), addon.ref(), addon.unref(), addon.unref(), addon.unref());
  await collected();
  show('weak', addon.kept_value(), addon.ref(), addon.unref(), addon.let_go());
  (() => { show(addon.keep(Symbol('weak'), 0), addon.kept_value(), addon.let_go()); })();
  for (const value of [1, 'text', undefined, null, 5n]) {
    const made = addon.keep(value, 1);
    show(made, made[0] === 0 ? [addon.kept_value(), addon.unref(), addon.kept_value(), addon.let_go()] : addon.let_go());
  }

  const external = addon.external()[1];
  show(typeof external, addon.external_value(external), addon.external_value({}), addon.external_value(5));
  (() => { addon.external(); })();
  await collected();
  show(addon.finalizers()[0]);

  for (const tagged of [{}, () => {}, external, []]) {
    show(addon.check_tag(tagged, 0), addon.tag(tagged, 0), addon.tag(tagged, 1), addon.check_tag(tagged, 0), addon.check_tag(tagged, 1), addon.check_tag(tagged, 2));
  }
  const zero = {};
  const half = {};
  show(addon.tag(zero, 2), addon.check_tag(zero, 2), addon.check_tag(zero, 0), addon.tag(half, 3), addon.check_tag(half, 3), addon.tag(undefined, 0), addon.check_tag(5, 0));
  show(addon.scopes('kept'));
  show(addon.instance(5), addon.instance(6), addon.memory());
  show(addon.file()[1].endsWith('/references.node'), addon.file()[1].startsWith('file:///'));
}
main();
