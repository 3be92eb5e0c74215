import { expect, test } from 'vitest';
import { foundMachinesText } from './quick-menu.tsx';

test.each([
  [0, 0, ''],
  [1, 1, '1 machine'],
  [24, 24, '24 machines'],
  [10_000, 10_000, '10.000 machines'],
  [1, 24, '1 van 24 machines'],
  [1_234, 10_000, '1.234 van 10.000 machines'],
  [0, 1, 'Geen van 1 machine'],
  [0, 24, 'Geen van 24 machines'],
])('the menu shows the number of machines found: %i of %i (APP-08)', (found, total, text) => {
  expect(foundMachinesText(found, total)).toBe(text);
});
