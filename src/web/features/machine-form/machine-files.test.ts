import { expect, test } from 'vitest';
import { manualError, photoError } from './machine-files.ts';

const MB = 1024 * 1024;

test.each([
  ['kraan.jpg', 3 * MB, 'image/jpeg', undefined],
  ['kraan', 3 * MB, '', undefined],
  ['kraan.png', 20 * MB, 'image/png', undefined],
  ['kraan.png', 20 * MB + 1, 'image/png', /te groot: 20,0 MB/],
  ['kraan.jpg', 0, 'image/jpeg', /leeg/],
  ['kraan.heic', MB, '', /HEIC/],
  ['kraan.jpg', MB, 'image/heif', /HEIC/],
  ['tekening.svg', MB, 'image/svg+xml', /geen foto/],
  ['pagina.html', MB, 'text/html', /geen foto/],
] as const)(
  'a photo %s of %d bytes and type %j is accepted, or refused with the reason (MEDIT-08)',
  (name, size, type, error) => {
    const found = photoError({ name, size, type });
    if (error) expect(found).toMatch(error);
    else expect(found).toBeUndefined();
  },
);

test.each([
  ['a.pdf', MB, 'application/pdf', undefined],
  ['a.PDF', MB, '', undefined],
  ['a.pdf', 25 * MB, 'application/pdf', undefined],
  ['a.pdf', 25 * MB + 1, 'application/pdf', /te groot/],
  ['a.pdf', 0, 'application/pdf', /leeg/],
  ['a.doc', MB, '', /geen PDF/],
  ['a.pdf', MB, 'image/png', /geen PDF/],
] as const)(
  'a manual %s of %d bytes and type %j is accepted, or refused with the reason (MEDIT-09)',
  (name, size, type, error) => {
    const found = manualError({ name, size, type });
    if (error) expect(found).toMatch(error);
    else expect(found).toBeUndefined();
  },
);
