import { expect, test } from 'vitest';
import { currentSection, type SectionBox } from './current-section.ts';

/**
 * Returns the sections of a page that is scrolled by `scrolled` px: two beside each other, a long one, and two short
 * ones at the end.
 */
const at = (scrolled: number): SectionBox[] =>
  [
    ['batterij', 200],
    ['laden', 200],
    ['verloop', 600],
    ['dagen', 2_000],
    ['laadbeurten', 2_300],
  ].map(([id, top]) => ({ id: String(id), top: Number(top) - scrolled }));
const currentAt = (scrolled: number, more: { isAtEnd?: boolean; named?: string } = {}) =>
  currentSection(at(scrolled), { heightPx: 800, isAtEnd: false, named: '', ...more });

test('the current section is the last one that begins in the upper quarter of the window', () => {
  expect(currentAt(0)).toBe('batterij');
  expect(currentAt(300)).toBe('batterij');
  expect(currentAt(500)).toBe('verloop');
  expect(currentAt(1_700)).toBe('verloop');
  expect(currentAt(1_900)).toBe('dagen');
});

test('the section that the URL’s fragment names is current while its heading is visible', () => {
  expect(currentAt(100, { named: 'laden' })).toBe('laden');
  expect(currentAt(500, { named: 'laden' })).toBe('verloop');
  expect(currentAt(1_700, { isAtEnd: true })).toBe('laadbeurten');
  expect(currentAt(1_700, { isAtEnd: true, named: 'dagen' })).toBe('dagen');
  expect(currentAt(1_700, { named: 'weg' })).toBe('verloop');
});

test('a page without sections has no current section', () => {
  expect(currentSection([], { heightPx: 800, isAtEnd: true, named: '' })).toBeUndefined();
});
