import { expect, test } from 'vitest';
import { ConfigurationTextBlanker } from './configuration-texts.ts';

function blanked(text: string, pieceBytes = 5): string {
  const texts = new ConfigurationTextBlanker();
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(texts.push(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat([...pieces, texts.end()]).toString();
}

test('all texts of a configuration are blanked; its keys, numbers and length stay the same (43.11)', () => {
  const configuration = {
    log: { file: { split_size: 50 }, encryption: { state: 1, password: 'geheim' } },
    connect: {
      wifi: {
        accesspoint: [
          { ssid: 'bouw', pwd: 'a"b\\' },
          { ssid: 'é€😀', pwd: '' },
        ],
      },
      cellular: { pin: '1234', apn: 'm2m' },
      s3: { server: { accesskey: 'WS1', keyformat: 0, secretkey: 'zeer "geheim" \\u0041' } },
    },
    names: ['a', ['b', { c: 'd' }]],
  };
  const text = JSON.stringify(configuration, undefined, 2);
  for (const pieceBytes of [1, 7, text.length]) {
    const result = blanked(text, pieceBytes);
    expect(Buffer.byteLength(result)).toBe(Buffer.byteLength(text));
    expect(JSON.parse(result, (_, value) => (typeof value === 'string' ? value.trim() : value))).toEqual({
      log: { file: { split_size: 50 }, encryption: { state: 1, password: '' } },
      connect: {
        wifi: {
          accesspoint: [
            { ssid: '', pwd: '' },
            { ssid: '', pwd: '' },
          ],
        },
        cellular: { pin: '', apn: '' },
        s3: { server: { accesskey: '', keyformat: 0, secretkey: '' } },
      },
      names: ['', ['', { c: '' }]],
    });
  }
});

test.each(['{"secretkey": "geheim"', '"secretkey": "geheim"}', 'secretkey=geheim', '{secretkey: "geheim"}'])(
  'a configuration that is no JSON, or incomplete, is blanked completely: %s (43.11)',
  (text) => {
    expect(blanked(text)).toBe(' '.repeat(text.length));
  },
);

test('an empty configuration stays empty (43.11)', () => {
  expect(blanked('')).toBe('');
});
