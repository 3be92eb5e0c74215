import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_PHOTO_BYTES } from '#shared/contract/machine-files.ts';
import { encodePhoto } from './photo.ts';
import { hugePng, pdf, phonePhoto, testPicture } from './test/images.ts';

/** Returns the colour at a point, given as shares of width and height. */
async function colourAt(image: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [...data.subarray(at, at + 3)];
}
// CMYK inks cannot print a deep blue, so the blue of a converted CMYK image is paler than the original.
const isRed = ([r = 0, , b = 0]: number[]) => r - b > 100;
const isBlue = ([r = 0, , b = 0]: number[]) => b - r > 80;

describe('the stored photo (MEDIT-08)', () => {
  test('a stored photo has no EXIF, position or profile, and is upright (MEDIT-08)', async () => {
    const taken = await phonePhoto();
    const before = await sharp(taken).metadata();
    expect(before).toMatchObject({ orientation: 6, width: 640, height: 480 });
    expect(before.exif?.includes('Geheim')).toBe(true);

    const kept = await encodePhoto(taken);
    const after = await sharp(kept).metadata();
    expect(after).toMatchObject({ format: 'webp', width: 480, height: 640, space: 'srgb' });
    for (const part of ['exif', 'icc', 'xmp', 'iptc', 'orientation'] as const)
      expect(after[part]).toBeUndefined();
    expect(kept.includes('Geheim')).toBe(false);
    expect(isRed(await colourAt(kept, 0.5, 0.1))).toBe(true);
    expect(isBlue(await colourAt(kept, 0.5, 0.9))).toBe(true);
  });

  test.each([
    ['jpeg', () => testPicture().jpeg()],
    ['png', () => testPicture().png()],
    ['webp', () => testPicture().webp()],
    ['avif', () => testPicture().avif()],
    ['gif', () => testPicture().gif()],
    ['tiff', () => testPicture().tiff()],
    ['CMYK jpeg', () => testPicture().toColourspace('cmyk').jpeg()],
    ['16 bit png', () => testPicture().toColourspace('rgb16').png()],
    ['progressive jpeg', () => testPicture().jpeg({ progressive: true })],
  ])('a photo of the type %s is accepted and keeps its colours (MEDIT-08)', async (_, make) => {
    const kept = await encodePhoto(await make().toBuffer());
    expect((await fileTypeFromBuffer(kept))?.mime).toBe('image/webp');
    expect(isRed(await colourAt(kept, 0.25, 0.5))).toBe(true);
    expect(isBlue(await colourAt(kept, 0.75, 0.5))).toBe(true);
  });

  test('a stored photo has at most 2048 px, and never more than its original (MEDIT-08)', async () => {
    expect(
      await sharp(await encodePhoto(await testPicture(5000, 1000).jpeg().toBuffer())).metadata(),
    ).toMatchObject({
      width: 2048,
      height: 410,
    });
    expect(
      await sharp(await encodePhoto(await testPicture(40, 30).png().toBuffer())).metadata(),
    ).toMatchObject({
      width: 40,
      height: 30,
    });
  });

  test('a photo with a wide-gamut colour profile is converted to sRGB, and the profile is not just dropped (MEDIT-08)', async () => {
    const orange = { create: { width: 64, height: 64, channels: 3, background: '#e06010' } } as const;
    const wide = await sharp(orange).withIccProfile('p3').png().toBuffer();
    const raw = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
    expect(raw[0]).toBeLessThan(0xdb); // the same red has a lower value in Display P3
    const kept = await colourAt(await encodePhoto(wide), 0.5, 0.5);
    expect(Math.abs((kept[0] ?? 0) - 0xe0)).toBeLessThan(6);
  });

  test('an animation is stored as its first frame (MEDIT-08)', async () => {
    const frames = Buffer.concat([
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#f01010' } })
        .raw()
        .toBuffer(),
      await sharp({ create: { width: 20, height: 20, channels: 3, background: '#1030f0' } })
        .raw()
        .toBuffer(),
    ]);
    const film = await sharp(frames, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
      .gif({ delay: [100, 100] })
      .toBuffer();
    expect((await sharp(film, { animated: true }).metadata()).pages).toBe(2);
    const kept = await encodePhoto(film);
    expect(await sharp(kept, { animated: true }).metadata()).toMatchObject({ height: 20 });
    expect(isRed(await colourAt(kept, 0.5, 0.5))).toBe(true);
  });
});

describe('rejected photos (MEDIT-08)', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  test.each([
    ['an SVG', Buffer.from(svg), 'geen foto'],
    ['an SVG with an XML head', Buffer.from(`<?xml version="1.0"?>${svg}`), 'geen foto'],
    ['a page', Buffer.from('<!doctype html><title>x</title>'), 'geen foto'],
    ['a PDF', pdf(), 'geen foto'],
    ['rubbish', Buffer.from('zomaar iets'), 'geen foto'],
    ['one byte', Buffer.from('x'), 'geen foto'],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'HEIC'],
    [
      'a PNG header with a page behind it',
      Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1'),
      'beschadigd|geen foto',
    ],
    ['a JPEG cut short', async () => (await phonePhoto()).subarray(0, 1_800), 'beschadigd'],
    [
      'a PNG cut short',
      async () => (await testPicture().png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
      'beschadigd',
    ],
  ])('%s is rejected as a photo (MEDIT-08, API-03)', async (_, bytes, message) => {
    await expect(encodePhoto(typeof bytes === 'function' ? await bytes() : bytes)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    });
  });

  test('a photo of 20,000 x 20,000 pixels is rejected at once, without decoding (MEDIT-08)', async () => {
    const bomb = hugePng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await sharp(bomb, { limitInputPixels: false }).metadata()).toMatchObject({
      width: 20_000,
      height: 20_000,
    });
    const before = process.memoryUsage.rss();
    const from = performance.now();
    await expect(encodePhoto(bomb)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('20000 bij 20000 pixels'),
    });
    expect(performance.now() - from).toBeLessThan(1_500);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });

  test('a photo of more than 20 MB is rejected before its content is read (MEDIT-08)', async () => {
    await expect(encodePhoto(Buffer.alloc(MAX_PHOTO_BYTES + 1))).rejects.toMatchObject({ code: 'too_large' });
  });

  test('a rejected photo does not block the next one (MEDIT-08)', async () => {
    const photo = await phonePhoto();
    const [broken, whole] = await Promise.allSettled([
      encodePhoto(photo.subarray(0, 1_800)),
      encodePhoto(photo),
    ]);
    expect([broken.status, whole.status]).toEqual(['rejected', 'fulfilled']);
  });
});
