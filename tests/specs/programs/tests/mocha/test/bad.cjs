const assert = require("node:assert");
describe("bad", () => {
  it("differs", () => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }));
  it("differs in text", () => assert.equal("one\ntwo", "one\nthree"));
  it("is late", function (done) { this.timeout(20) });
  it("throws", () => { throw new TypeError("no") });
  it("rejects", async () => { await Promise.reject(new Error("rejected")) });
  describe("hook", () => { before(() => { throw new Error("in hook") }); it("never runs", () => {}) });
  it("throws later", (done) => { setTimeout(() => { throw new Error("later") }, 1) });
});
