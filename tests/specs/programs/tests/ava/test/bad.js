import test from "ava";
test("differs", (t) => { t.deepEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }) });
test("throws", () => { throw new Error("thrown") });
test("asserts nothing", () => {});
test.failing("is known to fail", (t) => t.fail());
