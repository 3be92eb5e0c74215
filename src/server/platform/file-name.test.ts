import { expect, test } from 'vitest';
import { inlineDisposition, safeFileName } from './file-name.ts';

test.each([
  ['handleiding.pdf', 'handleiding.pdf'],
  ['Handleiding EX-1.PDF', 'Handleiding EX-1.pdf'],
  ['C:\\Users\\jan\\Bureaublad\\kraan.pdf', 'kraan.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['kraan.exe', 'kraan.exe.pdf'],
  ['a"b<c>|?*:.pdf', 'a_b_c_____.pdf'],
  ['regel\r\nSet-Cookie: x=1.pdf', 'regelSet-Cookie_ x=1.pdf'],
  ['\u202efdp.exe', 'fdp.exe.pdf'],
  ['één \u{1f69c} machine.pdf', 'één \u{1f69c} machine.pdf'],
  ['half \ud83d teken.pdf', 'half teken.pdf'],
  ['...', 'handleiding.pdf'],
  ['', 'handleiding.pdf'],
  ['.pdf', 'handleiding.pdf'],
  ['NUL.pdf', 'handleiding.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(100)}.pdf`],
])('a manual called %j is saved as %j (MEDIT-09)', (given, name) => {
  expect(safeFileName(given, 'pdf', 'handleiding')).toBe(name);
});

test.each([
  ['kraan 1.pdf', 'inline; filename="kraan 1.pdf"'],
  ['één.pdf', `inline; filename="een.pdf"; filename*=UTF-8''%C3%A9%C3%A9n.pdf`],
  ["d'oude (1).pdf", `inline; filename="d'oude (1).pdf"`],
  ['a"b\\c.pdf', `inline; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`],
  ['\u{1f69c}*%.pdf', `inline; filename="__*_.pdf"; filename*=UTF-8''%F0%9F%9A%9C%2A%25.pdf`],
])('the file name %s is sent in the header as %s (MEDIT-09)', (name, header) => {
  expect(inlineDisposition(name)).toBe(header);
  expect(header).toMatch(/^[\x20-\x7e]+$/);
});
