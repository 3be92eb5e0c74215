import { expect, test } from 'vitest';
import { createLru } from './lru.ts';

test('MAP-02 the least used goes first when the weight is over the limit', () => {
  const lru = createLru<string>(10);
  lru.set('a', 'A', 4);
  lru.set('b', 'B', 4);
  expect(lru.get('a')).toBe('A');
  lru.set('c', 'C', 4);
  expect(lru.get('b')).toBeUndefined();
  expect(lru.get('a')).toBe('A');
  expect(lru.get('c')).toBe('C');
  expect(lru.weight()).toBe(8);
});

test('MAP-02 replacing and deleting give their weight back; what is too heavy is not kept', () => {
  const lru = createLru<string>(10);
  lru.set('a', 'A', 8);
  lru.set('a', 'B', 2);
  expect(lru.weight()).toBe(2);
  lru.set('huge', 'H', 11);
  expect(lru.get('huge')).toBeUndefined();
  expect(lru.get('a')).toBe('B');
  lru.delete('a');
  lru.delete('a');
  expect(lru.weight()).toBe(0);
});
