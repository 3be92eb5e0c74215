import { expect, test } from 'vitest';
import {
  legendCodeColor,
  legendCodeName,
  MACHINE_STATUS_LEGEND,
  RAIL_GEAR_LEGEND,
  TRACK_LEGEND,
  UNKNOWN_CODE_COLOR,
} from './rail-legend.ts';

const LEGENDS = { MACHINE_STATUS_LEGEND, TRACK_LEGEND, RAIL_GEAR_LEGEND };

test.each([
  [MACHINE_STATUS_LEGEND, 2, 'Rijden'],
  [MACHINE_STATUS_LEGEND, 7, 'onbekend (7)'],
  [MACHINE_STATUS_LEGEND, 1.5, 'onbekend (1.5)'],
  [TRACK_LEGEND, 0, 'Naast het spoor'],
  [TRACK_LEGEND, 2, 'onbekend (2)'],
  [RAIL_GEAR_LEGEND, 1, 'Beweegt'],
  [RAIL_GEAR_LEGEND, -1, 'onbekend (-1)'],
])("legendCodeName returns the legend's name of a code (LOG-03)", (legend, code, name) => {
  expect(legendCodeName(legend, code)).toBe(name);
});

/** Returns the contrast ratio of two colours, by their relative luminance (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const luminance = (color: string) => {
    const [r = 0, g = 0, bl = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test.each(Object.entries(LEGENDS))(
  'the colours of %s are in the order of the codes, different, and readable on light and dark (LOG-03)',
  (_name, legend) => {
    expect(legend.map(({ value }) => value)).toEqual(legend.map((_line, n) => n));
    expect(new Set(legend.map(({ color }) => color)).size).toBe(legend.length);
    for (const color of [
      ...legend.map((line) => line.color),
      UNKNOWN_CODE_COLOR,
      legendCodeColor(legend, 99),
    ]) {
      expect(contrast(color, '#ffffff'), `${color} on white`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color, '#1a1b1e'), `${color} on the dark ground`).toBeGreaterThanOrEqual(3);
    }
  },
);
