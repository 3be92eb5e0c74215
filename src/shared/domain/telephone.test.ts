import { expect, test } from 'vitest';
import { telephoneError, telephoneLink } from './telephone.ts';

test.each([
  ['06-12345678', 'tel:+31612345678'],
  ['06 12 34 56 78', 'tel:+31612345678'],
  [' 0612345678 ', 'tel:+31612345678'],
  ['038 - 421 00 00', 'tel:+31384210000'],
  ['0578-612345', 'tel:+31578612345'],
  ['085-0123456', 'tel:+31850123456'],
  ['+31 6 12345678', 'tel:+31612345678'],
  ['+31 (0)6 12345678', 'tel:+31612345678'],
  ['0031 6 12345678', 'tel:+31612345678'],
  ['097-012345678', 'tel:+3197012345678'],
  ['0800-1234', 'tel:08001234'],
  ['0900 1234567', 'tel:09001234567'],
  ['+32 470 12 34 56', 'tel:+32470123456'],
  ['+49.30.123456', 'tel:+4930123456'],
  ['0032470123456', 'tel:+32470123456'],
])('%s is a telephone number, and its link calls %s (53.14)', (text, link) => {
  expect(telephoneError(text)).toBeUndefined();
  expect(telephoneLink(text)).toBe(link);
});

test.each([
  ['', 'ontbreekt'],
  ['   ', 'ontbreekt'],
  ['bel Jan', 'heeft alleen cijfers'],
  ['06-1234567a', 'heeft alleen cijfers'],
  ['06-12345678;ext=1', 'heeft alleen cijfers'],
  ['٠٦١٢٣٤٥٦٧٨', 'heeft alleen cijfers'],
  ['06+12345678', 'heeft alleen cijfers'],
  ['06-1234567', 'heeft in Nederland 10 cijfers'],
  ['06-123456789', 'heeft in Nederland 10 cijfers'],
  ['+31 6 1234567', 'heeft in Nederland 10 cijfers'],
  ['+31 06 12345678', 'begint met één 0'],
  ['12345678', 'begint met 0'],
  ['+0612345678', 'begint na +'],
  ['+32 12', 'heeft te weinig cijfers'],
  ['+4412345678901234', 'heeft te veel cijfers'],
  ['+', 'heeft alleen cijfers'],
  ['---', 'begint met 0'],
])('%s is no telephone number, and the reason follows the name of the field (53.14)', (text, error) => {
  expect(telephoneError(text)).toContain(error);
});
