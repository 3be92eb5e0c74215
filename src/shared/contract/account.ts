import { z } from 'zod';
import { Password } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import { FactorCode, PasskeyOptions, ShownPasskey } from './factors.ts';

const Done = z.object({ message: z.string() });
const moment = z.iso.datetime();

/** A sign-in that still holds. */
export const OwnSession = z.object({
  id: z.int(),
  /** Browser and system, in words. */
  device: z.string(),
  /** From where it was used last; of IPv6 the network. */
  address: z.string(),
  since: moment,
  /** To the minute. */
  lastUsed: moment,
  /** The one that asks. */
  isOwn: z.boolean(),
});
export type OwnSession = z.output<typeof OwnSession>;

/** A machine about whose charging somebody gets mails. */
export const OwnSubscription = z.object({
  serialNumber: z.string(),
  alias: z.string(),
  /** Display name. */
  organization: z.string(),
});
export type OwnSubscription = z.output<typeof OwnSubscription>;

/** What the caller has, to show that it is them. */
const ProofWays = z.object({
  /** One that they know. */
  hasPassword: z.boolean(),
  /** An authenticator app. */
  hasApp: z.boolean(),
  /** For a passkey of theirs; null: there is none that works here. */
  passkey: PasskeyOptions.nullable(),
});
export type ProofWays = z.output<typeof ProofWays>;
const ShownProof = z.object({
  password: Password.optional(),
  code: FactorCode.optional(),
  passkey: ShownPasskey.optional(),
});
export type ShownProof = z.output<typeof ShownProof>;

/** What somebody can do about their own account (/account). */
export const accountApi = {
  'POST /api/account/name': {
    summary: 'What the caller is called, instead of by their e-mail; empty: by that.',
    access: 'session',
    beforeConfirmation: true,
    changes: true,
    body: z.object({
      displayName: z
        .string()
        .trim()
        .max(60, 'is te lang')
        // One that looks like somebody's address would be taken for it.
        .regex(/^[^\p{C}@]*$/u, 'mag geen @ of onleesbaar teken hebben'),
    }),
    response: Done.extend({ name: z.string().nullable() }),
  },
  'GET /api/account/sessions': {
    summary:
      "The caller's sessions: the one that asks, and then the 50 that were used last; `total` of them all.",
    access: 'session',
    beforeConfirmation: true,
    changes: false,
    response: z.object({ sessions: z.array(OwnSession), total: z.int() }),
  },
  'POST /api/account/sessions/end': {
    summary: "Ends one of the caller's sessions.",
    access: 'session',
    beforeConfirmation: true,
    changes: true,
    body: z.object({ id: z.int32() }),
    response: Done,
  },
  'POST /api/account/sessions/end-others': {
    summary: "Ends all of the caller's sessions but this one.",
    access: 'session',
    beforeConfirmation: true,
    changes: true,
    response: Done,
  },
  'GET /api/account/subscriptions': {
    summary: 'The machines about whose charging the caller gets mails.',
    access: 'session',
    beforeConfirmation: true,
    changes: false,
    response: z.array(OwnSubscription),
  },
  'GET /api/account/data': {
    summary: 'All that is kept about the caller, as a file.',
    access: 'session',
    beforeConfirmation: true,
    changes: false,
    response: z.unknown(),
  },
  'POST /api/account/proof/options': {
    summary:
      'What the caller has to show that it is them; what a browser needs to show a passkey of theirs is good for five minutes.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    changes: true,
    response: ProofWays,
  },
  'POST /api/account/proof': {
    summary:
      'Shows that it is the caller, by one of their password, a code (of an authenticator app, or a recovery code) and a passkey: for ten minutes they may do what cannot be undone. The session gets a new token.',
    access: 'session',
    beforeConfirmation: true,
    beforeFactor: true,
    changes: true,
    body: ShownProof,
    response: Done,
  },
  'DELETE /api/account': {
    summary:
      "Deletes the caller's account; not of the last administrator, nor of the last manager of an organization that has others.",
    access: 'session',
    beforeConfirmation: true,
    proof: true,
    changes: true,
    response: Done,
  },
} as const satisfies Record<string, Endpoint>;
