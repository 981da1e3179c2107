import t from "tap";
t.equal(1, 2, "differs");
t.test("child", (t) => { t.same({ a: 1 }, { a: 2 }); t.end() });
