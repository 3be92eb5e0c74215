import { randomNumbers } from './random.ts';
import type { FrameRow } from './read-lines.ts';

export type TestFrame = {
  readonly kind: 'frame' | 'remote' | 'error';
  readonly us: number;
  readonly bus: number;
  readonly id: number;
  readonly extended: boolean;
  readonly fd: boolean;
  readonly data: Buffer;
};

const FD_LENGTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];
/** A time in summer, so that daylight saving time affects the result. */
export const TEST_FRAMES_START_MS = Date.UTC(2026, 6, 1, 8);

export type TestFrameKinds = { readonly fd?: boolean; readonly remote?: boolean; readonly error?: boolean };

/** Returns random frames of two buses with all lengths and both kinds of identifiers. */
export function randomTestFrames(seed: number, count: number, kinds: TestFrameKinds): TestFrame[] {
  const random = randomNumbers(seed);
  let us = TEST_FRAMES_START_MS * 1000;
  return Array.from({ length: count }, (_, index) => {
    const fd = kinds.fd === true && random(3) === 0;
    const extended = random(2) === 0;
    const length = fd ? (FD_LENGTHS[random(FD_LENGTHS.length)] as number) : random(9);
    const odd = random(20);
    const kind = kinds.remote && odd === 0 && !fd ? 'remote' : kinds.error && odd === 1 ? 'error' : 'frame';
    if (index > 0) us += random(50_000);
    return {
      kind,
      us,
      bus: random(2),
      id: random(extended ? 2 ** 29 : 2 ** 11),
      extended,
      fd: kind === 'frame' && fd,
      data: Buffer.from(Array.from({ length }, () => random(256))),
    };
  });
}

export const testFrameRow = ({ kind, us, bus, id, extended, data }: TestFrame): FrameRow =>
  kind === 'frame'
    ? `${us} ${bus} ${id.toString(16)}${extended ? 'x' : ''} ${data.toString('hex')}`
    : `${us} ${kind}`;
