import { expect, test, vi, describe, it } from 'vitest';
test('adds', () => expect(1 + 1).toBe(2));
test('mocks', () => { const f = vi.fn(() => 3); expect(f()).toBe(3); expect(f).toHaveBeenCalledTimes(1); });
describe('s', () => { it('snap', () => expect({ a: 1 }).toMatchInlineSnapshot(`
  {
    "a": 1,
  }
`)); it.skip('x', () => {}); });
test('timers', () => { vi.useFakeTimers(); let x = 0; setTimeout(() => x++, 1000); vi.advanceTimersByTime(1000); expect(x).toBe(1); vi.useRealTimers(); });
