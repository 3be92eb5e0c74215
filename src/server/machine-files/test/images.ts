import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

export const dataUrl = (bytes: Buffer, type = 'application/octet-stream'): string =>
  `data:${type};base64,${bytes.toString('base64')}`;

/** Returns a picture whose left half is red and right half blue. */
export function testPicture(width = 640, height = 480): Sharp {
  const half = { width: Math.floor(width / 2), height, channels: 3, background: '#1030f0' } as const;
  return sharp({ create: { width, height, channels: 3, background: '#f01010' } }).composite([
    { input: { create: half }, gravity: 'east' },
  ]);
}

/** Returns a photo as a phone makes it: rotated, with the position of the camera. */
export const phonePhoto = (): Promise<Buffer> =>
  testPicture()
    .withExif({
      IFD0: { Make: 'Telefoon', Orientation: '6', Copyright: 'Geheim' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 7/1 57/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '5/1 17/1 28/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** Returns a valid PNG of `width` x `height` black pixels, one bit per pixel: large only when it is decoded. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // bit depth; colour type 0 is grey
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Returns a whole PDF that shows one word, filled up to `size` bytes with a comment. */
export function pdf(word = 'Handleiding', size = 0): Buffer {
  const stream = `BT /F1 48 Tf 72 700 Td (${word}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const end = (start: number) =>
    `xref\n0 6\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}` +
    `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${String(start).padStart(10, '0')}\n%%EOF\n`;
  const filler = Math.max(0, size - text.length - end(0).length - 2);
  if (filler > 0) text += `%${'x'.repeat(filler)}\n`;
  return Buffer.from(text + end(text.length), 'latin1');
}
