import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;

/** Returns the texts in a zip file by name, from its central directory. */
export function unzip(zip: Buffer): Map<string, string> {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END) end -= 1;
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let n = 0; n < zip.readUInt16LE(end + 10); n += 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20));
    const method = zip.readUInt16LE(at + 10);
    files.set(name, (method === 8 ? inflateRawSync(packed) : packed).toString('utf8'));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
