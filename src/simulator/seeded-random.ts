/** Random numbers as a pure function of a seed and keys, so that every run gives the same history. */

/** Returns a 32-bit seed of a name (FNV-1a). */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Returns a uniform number in [0, 1). `key` may be any integer; `salt` distinguishes the uses of one key. */
export function randomFraction(seed: number, salt: number, key: number): number {
  // Includes the high part of keys above 2^32 (a time in ms).
  let h = seed ^ Math.imul(salt, 0x9e3779b1) ^ Math.imul(Math.floor(key / 0x100000000), 0x7feb352d);
  h = Math.imul(h ^ key ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x27d4eb2f);
  return ((h ^ (h >>> 15)) >>> 0) / 0x100000000;
}

/** Returns a uniform number in [low, high). */
export function randomBetween(low: number, high: number, seed: number, salt: number, key: number): number {
  return low + (high - low) * randomFraction(seed, salt, key);
}

/** Returns a nearly normal random number (mean 0, standard deviation 1): the scaled sum of four uniform ones, of `salt` to `salt + 3`. */
export const randomNormal = (seed: number, salt: number, key: number): number =>
  [0, 1, 2, 3].reduce((sum, n) => sum + randomFraction(seed, salt + n, key), -2) * Math.sqrt(3);

/** Returns smooth noise in [-1, 1] over a real argument: random at whole numbers, eased between them. */
export function smoothNoise(seed: number, salt: number, x: number): number {
  const knot = Math.floor(x);
  const f = x - knot;
  const a = randomFraction(seed, salt, knot);
  const b = randomFraction(seed, salt, knot + 1);
  return 2 * (a + (b - a) * f * f * (3 - 2 * f)) - 1;
}
