import t from "tap";
t.equal(1, 1, "same");
t.test("child", async (t) => { t.same({ a: [1] }, { a: [1] }); t.match({ a: 1, b: "text" }, { b: /te/ }); t.throws(() => { throw new TypeError("x") }, TypeError); await t.rejects(Promise.reject(new Error("no")), { message: "no" }) });
t.test("directory", (t) => { const folder = t.testdir({ a: "text" }); t.type(folder, "string"); t.end() });
t.skip("left out");
t.todo("to do");
