import { Secret, TOTP } from 'otpauth';

/** Parameters of RFC 6238 that every authenticator app supports: SHA-1, six digits, a new code every 30 s. */
const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** Tolerance for a phone's clock, in steps before and after the present one. */
const STEPS_OFF = 1;

/** Returns a new secret in base32, which people can type over. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the otpauth:// address for the QR code. @param email label in the app */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/**
 * Returns the step (30 s each, since 1970) to which the code belongs; undefined when it is no code of the present step or its
 * neighbours.
 */
export function totpTimeStep(secret: string, code: string, now: number): number | undefined {
  // The library throws on anything but six digits.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: STEPS_OFF });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Werkstroom', label, secret: Secret.fromBase32(secret), period: PERIOD_S });
