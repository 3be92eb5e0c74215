import { describe, expect, test } from 'vitest';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import {
  littleEndianBytes16,
  littleEndianBytes32,
  rxdBlock,
  rxdText,
} from '#shared/demo/rxd-configuration.ts';
import { checksumOf } from './configuration-blocks.ts';
import { RxdSecretsBlanker } from './rxd-secrets.ts';
import { readRxd } from './test/read-rxd.ts';
import { createSmallRxdFile, SMALL_RXD_SETTINGS } from './test/small-file.ts';

const SECTOR = 512;
const S3 = {
  endPoint: 's3.example',
  bucket: 'telemetry',
  region: 'eu',
  accessKey: 'ACCESS-KEY-1',
  secretKey: 'SECRET-KEY-1',
};
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

/** Blocks with secrets, in the layout of the vendor's definitions. Texts that are no secret begin with 'open'. */
const SECRET_BLOCKS: Readonly<Record<string, number[]>> = {
  mobile: rxdBlock(30, 1, 1001, [
    ...[
      1,
      ...rxdText('open-apn'),
      ...rxdText('MOBILE-USER'),
      ...rxdText('MOBILE-PASS'),
      ...rxdText('PIN-1234'),
    ],
    ...[1, ...littleEndianBytes32(3600)],
  ]),
  wifi: rxdBlock(40, 1, 1002, [
    ...[...rxdText('open-name'), 1, ...rxdText('open-ssid'), 3, ...rxdText('PRE-SHARED-KEY')],
    ...[...zeros(16), 1, ...littleEndianBytes32(60), 1],
  ]),
  ftp: rxdBlock(29, 5, 1003, [
    ...[
      0,
      ...rxdText('open-ip'),
      ...rxdText('open-server'),
      1,
      1,
      ...littleEndianBytes16(21),
      ...rxdText('FTP-USER'),
    ],
    ...[...rxdText('FTP-PASSWORD'), ...zeros(12), 1, 1, 1, ...rxdText('open-label'), 1],
  ]),
  'ftp of version 1': rxdBlock(29, 1, 1004, [
    ...[
      0,
      ...rxdText('open-ip'),
      ...rxdText('open-server'),
      1,
      1,
      ...littleEndianBytes16(21),
      ...rxdText('FTP-USER'),
    ],
    ...[...rxdText('FTP-PASSWORD'), ...zeros(12), 1],
  ]),
  config: rxdBlock(1, 8, 0, [
    ...[
      ...zeros(18),
      ...rxdText('open-config'),
      4,
      ...littleEndianBytes32(10),
      ...zeros(9),
      2,
      1,
      2,
      ...littleEndianBytes32(1),
      ...littleEndianBytes32(2),
    ],
    ...[1, ...littleEndianBytes16(14), ...Buffer.from('ENCRYPTION-KEY'), 0, 1, ...rxdText('open-ntp')],
  ]),
  'fields that a newer version appends': rxdBlock(30, 2, 1005, [
    ...[1, ...rxdText('open-apn'), 0, 0, 0, 1, ...littleEndianBytes32(3600), ...rxdText('NEW-SECRET')],
  ]),
  'a type that nobody knows': rxdBlock(99, 1, 1006, rxdText('NEW-SECRET')),
  'a text that is longer than its block': rxdBlock(40, 1, 1007, [
    ...rxdText('NAME'),
    1,
    200,
    ...Buffer.from('PRE-SHARED'),
  ]),
};
const SECRETS = /ACCESS|SECRET|PIN-|MOBILE-|PRE-SHARED|FTP-|ENCRYPTION/;

function blank(bytes: Uint8Array, pieceBytes = bytes.length): Buffer {
  const secrets = new RxdSecretsBlanker();
  const blanked: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    blanked.push(secrets.push(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat([...blanked, secrets.end()]);
}
const configurationOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.subarray(4, 4 + Buffer.from(bytes).readUInt32LE()));

/** Returns the blocks of a configuration in their order, and checks their checksums. */
function blocksOf(bytes: Uint8Array): Buffer[] {
  const configuration = configurationOf(bytes);
  const blocks: Buffer[] = [];
  for (let at = 0; at < configuration.length; ) {
    const block = configuration.subarray(at, at + configuration.readUInt16LE(at + 4));
    expect(block.at(-1)).toBe(checksumOf(block));
    blocks.push(block);
    at += block.length;
  }
  return blocks;
}

describe('the secrets in an .rxd file (43.4)', () => {
  test('the keys of CONFIG_S3 in an .rxd file are blanked, while its length and all other bytes except the checksum stay the same', async () => {
    const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, s3: S3 });
    const blanked = await blank(bytes);
    const expected = Buffer.from(bytes);
    for (const secret of [S3.accessKey, S3.secretKey])
      expected.fill(0, expected.indexOf(secret), expected.indexOf(secret) + secret.length);
    const s3 = blocksOf(blanked)[1] as Buffer;
    const end = 4 + (blocksOf(bytes)[0] as Buffer).length + s3.length;
    expected[end - 1] = checksumOf(expected.subarray(end - s3.length, end));
    expect(blanked.equals(expected)).toBe(true);
    expect(readRxd(blanked)).toEqual(readRxd(bytes));
  });

  test.each(Object.entries(SECRET_BLOCKS))(
    'the secrets in an .rxd file are blanked while every other text stays: %s',
    async (what, block) => {
      const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, s3: S3, blocks: [block] });
      const blanked = await blank(bytes);
      const open = (file: Uint8Array): string[] =>
        Buffer.from(file)
          .toString('latin1')
          .match(/open-[a-z]+/g) ?? [];
      expect(Buffer.from(bytes).toString('latin1')).toMatch(SECRETS);
      expect(blanked.toString('latin1')).not.toMatch(SECRETS);
      expect(open(blanked)).toEqual(open(bytes));
      expect(blanked.length).toBe(bytes.length);
      expect(blocksOf(blanked).map((one) => one.subarray(0, 8))).toEqual(
        blocksOf(bytes).map((one) => one.subarray(0, 8)),
      );
      expect(readRxd(blanked)).toEqual(readRxd(bytes));
      if (what === 'config')
        expect((blocksOf(blanked).at(-1) as Buffer).toString('latin1')).toMatch(/open-config.*open-ntp/s);
    },
  );

  test('the secrets in an .rxd file are blanked in chunks of any size; a file without secrets does not change', async () => {
    const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, s3: S3, blocks: Object.values(SECRET_BLOCKS) });
    const whole = await blank(bytes);
    for (const pieceBytes of [1, 2, 7, 100, 511, 512, 513])
      expect((await blank(bytes, pieceBytes)).equals(whole)).toBe(true);
    expect((await blank(whole)).equals(whole)).toBe(true);
    expect((await blank(createSmallRxdFile())).equals(createSmallRxdFile())).toBe(true);
  });

  test('the secrets in an .rxd file that was truncated at any byte are blanked', async () => {
    const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, s3: S3, blocks: Object.values(SECRET_BLOCKS) });
    const whole = await blank(bytes);
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = await blank(bytes.subarray(0, length));
      if (cut.length !== length || SECRETS.test(cut.toString('latin1'))) throw new Error(`cut to ${length}`);
    }
    expect((await blank(bytes.subarray(0, bytes.length - 100))).equals(whole.subarray(0, -100))).toBe(true);
  });
});

describe('the secrets in a damaged configuration (43.4)', () => {
  const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, s3: S3, blocks: Object.values(SECRET_BLOCKS) });
  const length = Buffer.from(bytes).readUInt32LE();

  test('a damaged configuration is blanked from the damage on, with all its secrets, while the frames stay', async () => {
    for (let at = 4; at < 4 + length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x55;
      const blanked = await blank(damaged);
      if (SECRETS.test(blanked.toString('latin1')) || blanked.length !== bytes.length)
        throw new Error(`byte ${at}`);
      expect(blanked.subarray(-3 * SECTOR).equals(damaged.subarray(-3 * SECTOR))).toBe(true);
    }
  });

  test('the secrets in a configuration that is longer than its stated length are blanked', async () => {
    for (let shorter = 0; shorter < length; shorter += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt32LE(shorter);
      const blanked = (await blank(damaged, 100)).toString('latin1');
      // If the stated length ends between two blocks, the bytes after it reveal the error, because they are not zeros.
      if (SECRETS.test(blanked)) throw new Error(`length ${shorter} of ${length}`);
    }
  });

  test('a file that is no .rxd is blanked completely', async () => {
    const text = Buffer.from('(1436509052.249713) can0 123#5EC2E7\n'.repeat(50));
    const blanked = await blank(text);
    expect(blanked.length).toBe(text.length);
    expect(blanked.subarray(4).every((byte) => byte === 0)).toBe(true);
  });
});

describe.skipIf(!hasSharedData)(
  `the golden .rxd files${hasSharedData ? '' : ': skipped, ../shared/data is not here'} (43.4)`,
  () => {
    test.each(['080000', '090000', '100000', '110000'])(
      'a golden .rxd file has no secret and the same frames after blanking: %s',
      async (time) => {
        const bytes = sharedData(`rxd/BM-0001_0001234_20261127_${time}.rxd`);
        const blanked = await blank(bytes, 1000);
        const keys = /WS33XAOAJR5RQ2M5WBMQ|ci-lCGJb9U8yv4V1BVb4nfkbW4lthvID1BrKOjEX/;
        expect(bytes.toString('latin1')).toMatch(keys);
        expect(blanked.toString('latin1')).not.toMatch(keys);
        expect(readRxd(blanked)).toEqual(readRxd(bytes));
        // 61 bytes differ: the 20 and 40 characters of the two keys, and one checksum.
        expect(blanked.filter((byte, at) => byte !== bytes[at])).toHaveLength(61);
        expect(blanked.length).toBe(bytes.length);
        blocksOf(blanked);
      },
    );
  },
);
