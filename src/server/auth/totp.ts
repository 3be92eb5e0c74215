import { Secret, TOTP } from 'otpauth';

/** What every authenticator app knows: SHA-1, six digits, a new code every 30 s (RFC 6238). */
const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** The clock of a phone may be off by as much as one step, either way. */
const STEPS_OFF = 1;

/** base32, as people type it over. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What the QR code of a new authenticator holds. @param email what the app calls it */
export const totpAddress = (secret: string, email: string): string => totpOf(secret, email).toString();

/** @returns the step (of 30 s since 1970) whose code this is, now or a step off; undefined when it is none of these */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  // The library throws at other digits than these.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: STEPS_OFF });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Werkstroom', label, secret: Secret.fromBase32(secret), period: PERIOD_S });
