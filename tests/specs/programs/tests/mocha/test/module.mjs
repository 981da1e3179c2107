import assert from "node:assert/strict";
import { describe, it } from "mocha";
describe("module", () => { it("has import.meta", () => assert.match(import.meta.url, /module\.mjs$/)) });
