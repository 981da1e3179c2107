const assert = require("node:assert");
describe("numbers", () => {
  let made = 0;
  before(() => { made = 1 });
  beforeEach(async () => { await null; made++ });
  after(function (done) { setImmediate(done) });
  it("adds", () => assert.strictEqual(1 + made, 3));
  it("waits", async () => { await new Promise((resolve) => setTimeout(resolve, 5)) });
  it("calls back", (done) => setTimeout(done, 1));
  it.skip("is left out", () => {});
  it("comes later");
  context("within", () => it("knows its title", function () { assert.equal(this.test.fullTitle(), "numbers within knows its title") }));
  let tries = 0;
  it("succeeds at last", function () { this.retries(2); assert.equal(++tries, 3) });
});
