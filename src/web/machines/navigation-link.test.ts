import { expect, test } from 'vitest';
import { coordinatesText, navigationLink } from './navigation-link.ts';

const YARD = { lat: 52.1, lon: -5.2000004 };
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
const DESK = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

test.each([
  [ANDROID, 'Rups & (zoon)', 'geo:52.100000,-5.200000?q=52.100000,-5.200000(Rups%20%26%20%20zoon)'],
  [IPHONE, 'Rups', 'https://maps.apple.com/?daddr=52.100000,-5.200000'],
  [DESK, 'Rups', 'https://www.openstreetmap.org/directions?to=52.100000,-5.200000'],
])('the navigation link is one that the device can open: %s (15.3i)', (userAgent, alias, link) => {
  expect(navigationLink(YARD, alias, userAgent)).toBe(link);
});

test('the copied coordinates are a search text for any map (15.3i)', () => {
  expect(coordinatesText(YARD)).toBe('52.100000, -5.200000');
});
