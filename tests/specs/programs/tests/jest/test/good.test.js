const { sum, read, later } = require("../lib/sum");
jest.mock("fs", () => ({ ...jest.requireActual("fs"), readFileSync: jest.fn(() => "mocked") }));
describe("good", () => {
  beforeAll(async () => { await null });
  test("adds", () => { expect(sum(1, 2)).toBe(3); expect([1, { a: 2 }]).toEqual([1, { a: expect.any(Number) }]) });
  test("mocks", () => { expect(read("x")).toBe("mocked"); expect(require("fs").readFileSync).toHaveBeenCalledWith("x", "utf8") });
  test("timers", () => { jest.useFakeTimers(); const told = jest.fn(); later(told); jest.advanceTimersByTime(10_000); expect(told).toHaveBeenCalledWith("late"); jest.useRealTimers() });
  test("snapshots", () => { expect({ a: [1, "x"], b: new Map([[1, new Date(0)]]), c: /x/, d: Symbol("s"), e() {} }).toMatchSnapshot() });
  test.each([[1, 1, 2], [2, 3, 5]])("%i + %i = %i", (a, b, c) => expect(sum(a, b)).toBe(c));
  test("rejects", async () => { await expect(Promise.reject(new Error("no"))).rejects.toThrow("no") });
  test("has its own globals", () => { expect([] instanceof Array).toBe(true); expect(globalThis.process.version).toMatch(/^v/); expect(new Error("x")).toBeInstanceOf(Error); expect(Buffer.from("a") instanceof Uint8Array).toBe(true); expect(structuredClone({ a: 1 })).toEqual({ a: 1 }) });
  test.skip("left out", () => {});
  test.todo("to do");
});
