import { describe, expect, test } from 'vitest';
import type { Position } from '#shared/domain/position.ts';
import { fittingView, type Insets, withoutFarAway } from './fitting-view.ts';
import { EARTH_PX, toMercator } from './mercator.ts';

const SIZE = { width: 1280, height: 744 };
const INSETS = { top: 60, right: 300, bottom: 150, left: 40 };
const GRONINGEN = { lat: 53.21, lon: 6.56 };
const MAASTRICHT = { lat: 50.85, lon: 5.69 };
const MALAGA = { lat: 36.72, lon: -4.42 };

const pxOf = (place: Position, { centre, zoom }: { centre: Position; zoom: number }, size = SIZE) => {
  const scale = EARTH_PX * 2 ** zoom;
  const [at, middle] = [toMercator(place), toMercator(centre)];
  return { x: (at.x - middle.x) * scale + size.width / 2, y: (at.y - middle.y) * scale + size.height / 2 };
};

const isInside = ({ x, y }: { x: number; y: number }, insets: Insets, size = SIZE): boolean =>
  x >= insets.left - 0.5 &&
  x <= size.width - insets.right + 0.5 &&
  y >= insets.top - 0.5 &&
  y <= size.height - insets.bottom + 0.5;

describe('fittingView', () => {
  test.each([
    ['a desk', SIZE, INSETS],
    ['a phone', { width: 390, height: 788 }, { top: 56, right: 32, bottom: 210, left: 32 }],
  ])(
    'shows all places inside the insets, at the deepest zoom at which they fit: %s (53.24)',
    (_, size, insets) => {
      const places = [GRONINGEN, MAASTRICHT, { lat: 52, lon: 4.3 }];
      const view = fittingView(places, size, insets, 14)!;
      expect(places.every((place) => isInside(pxOf(place, view, size), insets, size))).toBe(true);
      const deeper = { ...view, zoom: view.zoom + 1 };
      expect(places.every((place) => isInside(pxOf(place, deeper, size), insets, size))).toBe(false);
    },
  );

  test('shows one place, or many places at the same position, at the deepest zoom', () => {
    for (const places of [[GRONINGEN], Array.from({ length: 120 }, () => GRONINGEN)]) {
      const view = fittingView(places, SIZE, { top: 0, right: 0, bottom: 0, left: 0 }, 14)!;
      expect(view.zoom).toBe(14);
      expect(view.centre.lat).toBeCloseTo(GRONINGEN.lat, 6);
      expect(view.centre.lon).toBeCloseTo(GRONINGEN.lon, 6);
    }
  });

  test('returns nothing without places', () => {
    expect(fittingView([], SIZE, INSETS, 14)).toBeUndefined();
  });

  test('shows places at both ends of the earth, and returns a view even if the insets fill the screen', () => {
    expect(
      fittingView(
        [
          { lat: 89, lon: -179 },
          { lat: -89, lon: 179 },
        ],
        SIZE,
        INSETS,
        14,
      )?.zoom,
    ).toBe(3);
    expect(fittingView([GRONINGEN], { width: 100, height: 100 }, INSETS, 14)?.zoom).toBe(14);
  });
});

describe('withoutFarAway', () => {
  const yard = Array.from({ length: 24 }, (_, n) => ({ lat: 52 + n / 1000, lon: 5 }));

  test('leaves out a machine that is far away from all others (53.24)', () => {
    expect(withoutFarAway([...yard, MALAGA])).toEqual(yard);
  });

  test('keeps every machine of a fleet across the Netherlands', () => {
    const fleet = [...yard, GRONINGEN, MAASTRICHT];
    expect(withoutFarAway(fleet)).toBe(fleet);
  });

  test('keeps all machines of a small fleet, and of a fleet that works in two countries', () => {
    const few = [GRONINGEN, MAASTRICHT, MALAGA];
    expect(withoutFarAway(few)).toBe(few);
    const both = [...yard, ...Array.from({ length: 6 }, () => MALAGA)];
    expect(withoutFarAway(both)).toBe(both);
  });

  test('leaves out at most a tenth of the machines', () => {
    const far = [MALAGA, { lat: 60, lon: 25 }];
    expect(withoutFarAway([...yard, ...far])).toEqual(yard);
    expect(withoutFarAway([])).toEqual([]);
  });
});
