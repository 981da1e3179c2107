import { jest } from "@jest/globals";
import { readFileSync } from "node:fs";
test("is a module", async () => { expect(import.meta.url).toMatch(/module\.test\.mjs$/); const { sum } = await import("../lib/sum.js"); expect(sum(1, 1)).toBe(2); expect(typeof readFileSync).toBe("function"); expect(typeof jest.fn).toBe("function") });
