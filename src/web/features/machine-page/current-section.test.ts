import { expect, test } from 'vitest';
import { currentSection, type SectionBox } from './current-section.ts';

/** Two beside each other, a long one, and two short ones at the end. */
const at = (scrolled: number): SectionBox[] =>
  [
    ['batterij', 200],
    ['laden', 200],
    ['verloop', 600],
    ['dagen', 2_000],
    ['laadbeurten', 2_300],
  ].map(([id, top]) => ({ id: String(id), top: Number(top) - scrolled }));
const look = (scrolled: number, more: { isAtEnd?: boolean; named?: string } = {}) =>
  currentSection(at(scrolled), { heightPx: 800, isAtEnd: false, named: '', ...more });

test('the current section is the last that begins in the upper quarter of the window', () => {
  expect(look(0)).toBe('batterij');
  expect(look(300)).toBe('batterij');
  expect(look(500)).toBe('verloop');
  expect(look(1_700)).toBe('verloop');
  expect(look(1_900)).toBe('dagen');
});

test('the section that the address names is current while its heading is in sight', () => {
  expect(look(100, { named: 'laden' })).toBe('laden');
  expect(look(500, { named: 'laden' })).toBe('verloop');
  expect(look(1_700, { isAtEnd: true })).toBe('laadbeurten');
  expect(look(1_700, { isAtEnd: true, named: 'dagen' })).toBe('dagen');
  expect(look(1_700, { named: 'weg' })).toBe('verloop');
});

test('a page without sections has no current one', () => {
  expect(currentSection([], { heightPx: 800, isAtEnd: true, named: '' })).toBeUndefined();
});
