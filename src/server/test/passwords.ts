import { hash } from '@node-rs/argon2';

/**
 * As the portal stores a password, but hundreds of times cheaper to verify, since a hash carries its own costs: for
 * the many sign-ins of tests that are about something else.
 */
export const cheaplyHashed = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
