/** An error in one field of a call. */
export type FieldError = {
  /** The field's name in the call. */
  readonly field: string;
  /** A sentence that begins with the field's name on the screen. */
  readonly message: string;
  /**
   * For a logger that is already bound: the serial number or loggerid of the machine or LMB logger for which it
   * reports.
   */
  readonly at?: string;
};

/** `passkey`: on a phone, a computer or a security key. `totp`: an authenticator app, whose code changes every 30 s. */
export const SECOND_FACTOR_KINDS = ['passkey', 'totp'] as const;
export type SecondFactorKind = (typeof SECOND_FACTOR_KINDS)[number];

/** The one error shape of the API: `{ code, message }`; `message` is a Dutch text for the user. */
export type Problem = {
  readonly code: ProblemCode;
  readonly message: string;
  /** The errors of the fields, in the order of the screen. `message` has all their sentences. */
  readonly faults?: readonly FieldError[];
  /** With 'second-factor-required': the kinds of factor that the account has. */
  readonly factors?: readonly SecondFactorKind[];
};

/** Every code and its HTTP status. */
export const PROBLEM_STATUS = {
  invalid: 400,
  unauthenticated: 401,
  bad_credentials: 401,
  /** The password was right; the account also needs a second factor. */
  'second-factor-required': 401,
  forbidden: 403,
  /** The caller must re-authenticate (POST /api/account/proof) and then repeat the call. */
  proof_required: 403,
  password_change_required: 403,
  /** The account was registered by code and its address is not confirmed: it may only call the 'Mijn account' endpoints. */
  address_unconfirmed: 403,
  /** The caller must have a second factor and has none: they may only set one up. */
  'second-factor-setup-required': 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  /** An organization's identity provider does not respond, or responds incorrectly. */
  bad_gateway: 502,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUS;
