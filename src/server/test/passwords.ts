import { hash } from '@node-rs/argon2';

/**
 * Hashes a password by the portal's algorithm, at a cost that makes it hundreds of times faster to verify: for tests that sign in often.
 * The portal can verify it, because a hash contains its cost parameters.
 */
export const cheaplyHashed = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
