test("differs", () => { expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] }) });
test("throws", () => { throw new RangeError("thrown") });
test("is late", (done) => {}, 20);
test("prints", () => { console.log("printed %s", 1) });
