import { expect, test } from 'vitest';
test('differs', () => expect({ a: 1 }).toEqual({ a: 2 }));
