import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import {
  type AttemptLimit,
  countAttempt,
  resetAttemptCount,
  tooManyAttemptsError,
  uncountAttempt,
} from '#server/platform/rate-limit.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import type { TokenCookie } from './cookies.ts';
import type { HashClient } from './hash-queue.ts';
import { isKnownDevice, shortDeviceHash } from './known-devices.ts';

/** Limits of one kind of call, in tries per 15 minutes. */
type Allowance = {
  /** All tries from one address, for any account. */
  readonly perAddress: number;
  /** Tries for one account: from one address, or from one browser that signed in to it before. */
  readonly perAddressAndAccount: number;
  /** Strangers' tries for one account from all addresses; beyond this number each try waits SLOW_MS, and each address gets FEW tries. */
  readonly slowBeyond?: number;
  /**
   * Strangers' tries for one account from all addresses. Only for calls that require the right password before, so that strangers cannot
   * use the tries up.
   */
  readonly perAccount?: number;
};

const SLOW_MS = 3_000;
const FEW = 3;
/** A limit that is never reached: tries are counted but not refused. */
const UNLIMITED = 2 ** 31 - 1;

const ALLOWANCES = {
  login: { perAddress: 200, perAddressAndAccount: 10, slowBeyond: 100 },
  register: { perAddress: 20, perAddressAndAccount: 10 },
  /** Has no limit per account over all addresses: password-resets.ts limits the mails, and links that were mailed before stay valid. */
  forgot: { perAddress: 20, perAddressAndAccount: 10 },
  /** Tries with mailed reset codes, of which each allows five. */
  reset: { perAddress: 60, perAddressAndAccount: 15 },
  /** Codes of the second factor: 20 guesses among a million codes, of which three are valid. The caller gave the right password. */
  factor: { perAddress: 200, perAddressAndAccount: 10, perAccount: 20 },
} satisfies Record<string, Allowance>;

/** A try that has been counted. */
export type CountedSignInAttempt = {
  /** The client on whose behalf the input is hashed. */
  readonly by: HashClient;
  /** Takes this try off the counts and forgets this client's earlier tries for this account, because the input was right. */
  succeeded(): Promise<void>;
};

/**
 * Counts a try. Guessing is slowed, but cannot lock a person out (AUTH-11; ASVS 5.0 V6.3.1). A stranger is limited per address, and per
 * account and address. Guesses at one account from many addresses slow all strangers down and leave each address a few tries. First tries
 * are never refused, because one of them may be the owner's.
 * A browser that signed in to the account before, or has just set a new password by mail, is known by its cookie ("device cookies", OWASP).
 * Its tries are counted apart and do not wait, and tries of others at the same address do not count for it.
 * @param email in lower case
 * @throws ProblemError 429
 */
export async function countSignInAttempt(
  db: Database,
  device: TokenCookie,
  request: FastifyRequest,
  kind: keyof typeof ALLOWANCES,
  email: string,
): Promise<CountedSignInAttempt> {
  const { perAddress, perAddressAndAccount, slowBeyond, perAccount }: Allowance = ALLOWANCES[kind];
  const token = device.read(request);
  const address = networkOf(request.ip);
  const isKnown = token !== undefined && (await isKnownDevice(db, token, email));
  const who = isKnown ? `known ${shortDeviceHash(token)}` : address;
  const own = { key: `${kind} ${email} ${who}`, tries: perAddressAndAccount };
  const shared: AttemptLimit[] = [];
  if (isKnown) await countAttempt(db, [own]);
  else {
    const everywhere = { key: `${kind} from ${address}`, tries: perAddress };
    const everybody = { key: `${kind} ${email}`, tries: perAccount ?? UNLIMITED };
    const others = (slowBeyond ?? perAccount) === undefined ? [] : [everybody];
    shared.push(everywhere, ...others);
    const [, ofOwn = 0, ofAll = 0] = await countAttempt(db, [everywhere, own, ...others]);
    if (slowBeyond !== undefined && ofAll > slowBeyond) {
      if (ofOwn > FEW) throw tooManyAttemptsError();
      await wait(SLOW_MS);
    }
  }
  return {
    by: { name: who, isKnown, isGone: () => request.socket.destroyed },
    async succeeded() {
      await uncountAttempt(db, shared);
      await resetAttemptCount(db, own.key);
    },
  };
}
