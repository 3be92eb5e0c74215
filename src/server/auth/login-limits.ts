import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { countTry, forgetTries, type Limit, returnTry, tooManyTries } from '#server/platform/rate-limit.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { TokenCookie } from './cookies.ts';
import type { Hasher } from './hash-turns.ts';
import { deviceName, isKnownDevice } from './known-devices.ts';

/** Tries per 15 minutes of one kind of call. */
type Allowance = {
  /** All that one address tries, for whatever account. */
  readonly perAddress: number;
  /** One address for one account; also one known browser for its account. */
  readonly perAddressAndAccount: number;
  /** Strangers' tries for one account, from wherever, beyond which each of them waits, and an address has few. */
  readonly slowBeyond?: number;
  /** All of strangers' tries for one account: only where a stranger cannot use it up. */
  readonly perAccount?: number;
};

const SLOW_MS = 3_000;
const FEW = 3;
/** More than anybody counts: it refuses nothing. */
const UNLIMITED = 2 ** 31 - 1;

const ALLOWANCES = {
  login: { perAddress: 200, perAddressAndAccount: 10, slowBeyond: 100 },
  register: { perAddress: 20, perAddressAndAccount: 10 },
  /** How many mails an account gets is for password-resets.ts: those before stay valid, so that nobody is refused one. */
  forgot: { perAddress: 20, perAddressAndAccount: 10 },
  /** A code itself takes five tries. */
  reset: { perAddress: 60, perAddressAndAccount: 15 },
  /** Codes of the second factor: 20 of a million, of which three are right. Who comes here gave the right password. */
  factor: { perAddress: 200, perAddressAndAccount: 10, perAccount: 20 },
} satisfies Record<string, Allowance>;

/** Tries that have been counted. */
export type Tries = {
  /** Whose turn it takes to hash what was typed. */
  readonly by: Hasher;
  /** It was no guess: gives back what was counted, and forgets this caller's earlier tries for this account. */
  succeeded(): Promise<void>;
};

/**
 * Counts a try (AUTH-11; ASVS 5.0 V6.3.1: guessing is slowed, and nobody can lock another out by it).
 *
 * A stranger is limited per address, and per account and address. Guessing one account's password from many addresses
 * slows all strangers down, and leaves each address a few tries: it refuses nobody's first ones, for one of them may be the
 * owner. A browser that signed in to the account before, known by its cookie, has a count of its own and does not even
 * wait, and so does one that has just set a new password by mail ("device cookies", OWASP). A colleague behind the
 * same address is no harm to it either.
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
  const { perAddress, perAddressAndAccount, slowBeyond, perAccount }: Allowance = ALLOWANCES[kind];
  const token = device.read(request);
  const address = networkOf(request.ip);
  const isKnown = token !== undefined && (await isKnownDevice(db, token, email));
  const who = isKnown ? `known ${deviceName(token)}` : address;
  const own = { key: `${kind} ${email} ${who}`, tries: perAddressAndAccount };
  const shared: Limit[] = [];
  if (isKnown) await countTry(db, [own]);
  else {
    const everywhere = { key: `${kind} from ${address}`, tries: perAddress };
    const everybody = { key: `${kind} ${email}`, tries: perAccount ?? UNLIMITED };
    const others = (slowBeyond ?? perAccount) === undefined ? [] : [everybody];
    shared.push(everywhere, ...others);
    const [, ofOwn = 0, ofAll = 0] = await countTry(db, [everywhere, own, ...others]);
    if (slowBeyond !== undefined && ofAll > slowBeyond) {
      if (ofOwn > FEW) throw tooManyTries();
      await wait(SLOW_MS);
    }
  }
  return {
    by: { name: who, isKnown, isGone: () => request.socket.destroyed },
    async succeeded() {
      await returnTry(db, shared);
      await forgetTries(db, own.key);
    },
  };
}
