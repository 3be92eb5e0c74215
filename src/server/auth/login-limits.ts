import type { FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { countTry, forgetTries, type Limit, networkOf, returnTry } from '#server/platform/rate-limit.ts';
import type { TokenCookie } from './cookies.ts';
import { deviceName, isKnownDevice } from './known-devices.ts';

/** Tries per 15 minutes of one kind of call. */
type Allowance = {
  /** All that one address tries, for whatever account. */
  readonly perAddress: number;
  /** One address for one account; also one known browser for its account. */
  readonly perAddressAndAccount: number;
  /** All that strangers try for one account, from wherever. */
  readonly perAccount: number;
};

const ALLOWANCES = {
  login: { perAddress: 200, perAddressAndAccount: 10, perAccount: 100 },
  register: { perAddress: 20, perAddressAndAccount: 10, perAccount: 20 },
  /** Each of these is a mail to somebody who may not have asked for it. */
  forgot: { perAddress: 20, perAddressAndAccount: 3, perAccount: 6 },
  /** A code itself takes five tries. */
  reset: { perAddress: 60, perAddressAndAccount: 15, perAccount: 60 },
} as const satisfies Readonly<Record<string, Allowance>>;

/** Tries that have been counted. */
export type Tries = {
  /** It was no guess: gives back what was counted, and forgets this caller's earlier tries for this account. */
  succeeded(): Promise<void>;
};

/**
 * Counts a try (AUTH-11; ASVS 5.0 V6.3.1: guessing is slowed, and nobody can lock another out by it).
 *
 * A stranger is limited per address, per account and address, and per account. The last is for guessing from many
 * addresses at once; whoever does that uses it up for every stranger, but not for the account's own people: a
 * browser that signed in to the account before, known by its cookie, has a count of its own, and so does one that
 * has just set a new password by mail ("device cookies", OWASP). A colleague behind the same address is no harm
 * to it either.
 * @param email in lower case
 * @throws ProblemError 429
 */
export async function countTries(
  db: Database,
  device: TokenCookie,
  request: FastifyRequest,
  kind: keyof typeof ALLOWANCES,
  email: string,
): Promise<Tries> {
  const { perAddress, perAddressAndAccount, perAccount } = ALLOWANCES[kind];
  const token = device.read(request);
  const address = networkOf(request.ip);
  let own: Limit;
  let shared: readonly Limit[];
  if (token !== undefined && (await isKnownDevice(db, token, email))) {
    own = { key: `${kind} ${email} known ${deviceName(token)}`, tries: perAddressAndAccount };
    shared = [];
    await countTry(db, [own]);
  } else {
    own = { key: `${kind} ${email} ${address}`, tries: perAddressAndAccount };
    const everywhere = { key: `${kind} from ${address}`, tries: perAddress };
    const everybody = { key: `${kind} ${email}`, tries: perAccount };
    shared = [everywhere, everybody];
    await countTry(db, [everywhere, own, everybody]);
  }
  return {
    async succeeded() {
      await returnTry(db, shared);
      await forgetTries(db, own.key);
    },
  };
}
