import { describe, expect, test } from 'vitest';
import { parseTypedPosition } from './typed-position.ts';

const GOUDA = { lat: 52.01, lon: 4.71 };

describe('parseTypedPosition', () => {
  test.each([
    '52.01, 4.71',
    '52.01,4.71',
    '52.01 4.71',
    ' 52,01 4,71 ',
    '52,01, 4,71',
    '52,01,4,71',
    '52,01; 4,71',
    '52.01/4.71',
    'geo:52.01,4.71',
    '+52.01 +4.71',
    '52.01N 4.71E',
    '52.01 n, 4.71 e',
    'N52.01 E4.71',
    'N 52,01 O 4,71',
    'E4.71 N52.01',
    '4.71 O, 52.01 N',
    '52,01 NB 4,71 OL',
    '52.01° 4.71°',
    '52.01° N, 4.71° E',
    `52° 0' 36" N 4° 42' 36" E`,
    '52°00′36″N 4°42′36″O',
    `N52°0.6' E4°42.6'`,
    `52°0'36''N, 4°42'36''E`,
  ])('parseTypedPosition reads %s as a position near Gouda (53.23)', (text) => {
    const read = parseTypedPosition(text);
    if (!read || read === 'off') throw new Error(`read as ${read}`);
    expect(read.lat).toBeCloseTo(GOUDA.lat, 9);
    expect(read.lon).toBeCloseTo(GOUDA.lon, 9);
  });

  test.each([
    ['-33.9, 18.4', { lat: -33.9, lon: 18.4 }],
    ['−33,9 −18,4', { lat: -33.9, lon: -18.4 }],
    ['33.9 Z 18.4 W', { lat: -33.9, lon: -18.4 }],
    ['52, 4', { lat: 52, lon: 4 }],
    ['0, 0', { lat: 0, lon: 0 }],
  ])('parseTypedPosition reads %s with the signs of its coordinates', (text, expected) => {
    expect(parseTypedPosition(text)).toEqual(expected);
  });

  test.each(['91, 4', '52.01, 181', '121687, 487484'])(
    'parseTypedPosition reports that %s is not on the globe',
    (text) => {
      expect(parseTypedPosition(text)).toBe('off');
    },
  );

  test.each([
    '',
    '52',
    '52,4',
    '52.01.4.71',
    '52.01, 4.71, 3',
    '52.01 N 4.71',
    '52.01 N 4.71 N',
    `52° 61' N 4° E`,
    '52 - 4',
    'Gouda',
    'Laan 4, 52',
    'N E',
    'N 52 E',
    '1'.repeat(200),
  ])('parseTypedPosition does not read %s as coordinates', (text) => {
    expect(parseTypedPosition(text)).toBeUndefined();
  });
});
