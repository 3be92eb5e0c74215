/** What is wrong with one field of a call. */
export type Fault = {
  /** Its name in the call. */
  readonly field: string;
  /** A sentence that begins with what the field is called on the screen. */
  readonly message: string;
  /** Of a logger that is bound: the serial number or loggerid of what it reports for. */
  readonly at?: string;
};

/** `passkey`: of a phone, computer or security key. `totp`: an authenticator app, whose code changes every 30 s. */
export const FACTOR_KINDS = ['passkey', 'totp'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** The one error shape of the API: `{ code, message }`; `message` is what a person may read. */
export type Problem = {
  readonly code: ProblemCode;
  readonly message: string;
  /** Where it is about fields: each of them, in the order of the screen. `message` has all their sentences. */
  readonly faults?: readonly Fault[];
  /** Where a second factor is asked: which the account has. */
  readonly factors?: readonly FactorKind[];
};

/** Every code and its HTTP status. */
export const PROBLEM_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  bad_credentials: 401,
  /** The password was right, and a second factor is asked. */
  'second-factor-required': 401,
  forbidden: 403,
  /** The password or a factor must be given again (POST /api/account/proof), and then the call repeated. */
  proof_required: 403,
  password_change_required: 403,
  /** An account that was registered by code, whose address is not confirmed yet: only its own account's calls answer. */
  address_unconfirmed: 403,
  /** Somebody who must have a second factor has none yet, and may only set one up. */
  'second-factor-setup-required': 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  /** An identity provider that somebody named does not answer, or not as it should. */
  bad_gateway: 502,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;
