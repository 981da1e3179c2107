import test from "ava";
test.before((t) => { t.context = { n: 1 } });
test.serial("adds", (t) => { t.is(1 + 1, 2); t.deepEqual({ a: [1] }, { a: [1] }) });
test.serial("waits", async (t) => { await t.throwsAsync(async () => { throw new TypeError("no") }, { instanceOf: TypeError }) });
test.serial("plans", (t) => { t.plan(2); t.pass(); t.truthy(1) });
test.serial("snapshots", (t) => { t.snapshot({ a: 1, b: new Map([[1, 2]]) }) });
test.skip("left out", (t) => t.fail());
test.todo("to do");
