import { expect, test } from 'vitest';
import { addressWithoutNote } from './arrival-note.ts';

test.each([
  ['/machine/', '', '', '/machine/'],
  ['/lmb-logging/Kar%201', '?organization=spoor', '', '/lmb-logging/Kar%201?organization=spoor'],
  ['/machine/edit/A%20B', '?a=1&b=%2F', '#logger', '/machine/edit/A%20B?a=1&b=%2F#logger'],
])(
  'removing the note from the address %s%s%s keeps the rest of the address (MEDIT-07, 11.R5)',
  (pathname, search, hash, path) => {
    expect(addressWithoutNote({ pathname, search, hash })).toBe(path);
  },
);
