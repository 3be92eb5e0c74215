import { expect, test } from 'vitest';
import { availableMemory, serverSettings } from './settings.ts';

const GIB = 1024 ** 3;
test.each([
  [64 * GIB, 'shared_buffers=256MB'],
  [2 * GIB, 'shared_buffers=256MB'],
  [1 * GIB, 'shared_buffers=128MB'],
  [0.5 * GIB, 'shared_buffers=64MB'],
  [0.05 * GIB, 'shared_buffers=16MB'],
])('%d bytes of memory -> %s', (memory, setting) => {
  expect(serverSettings(memory)).toContain(setting);
});

test('the memory of a container counts, never more than the machine has', () => {
  expect(availableMemory()).toBeGreaterThan(0);
  expect(availableMemory()).toBeLessThanOrEqual(1024 * GIB);
});
