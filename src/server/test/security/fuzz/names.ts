import type { FuzzPrincipal } from './request.ts';

/** Names that requests speak of. Things that the administrator may break are made anew by `mend`. */
export const NAMES = {
  /** Of the user, of the logger user: read, never broken. */
  serials: ['F-1', 'F-2'],
  loggerids: ['L-1'],
  /** Whatever happens to them. */
  spareSerials: ['W-1', 'W-2', 'W-3'],
  spareLoggerids: ['WL-1', 'WL-2'],
  spareOrganizations: ['wegwerp-1', 'wegwerp-2'],
  spareEmails: ['weg1@wegwerp.nl', 'weg2@wegwerp.nl'],
  organizations: ['klant', 'spoor', 'admin'],
  emails: ['fuzz.user@klant.nl', 'fuzz.logger@spoor.nl'],
  /** Of two other organizations: a machine's and an LMB logger's. */
  foreignSerials: ['KANARIE-1', 'KANARIE-2'],
  foreignOrganizations: ['kanarie', 'kanarie-spoor'],
  foreignEmails: ['kanarie@kanarie.nl'],
} as const;

/** For OUTBOUND_ALLOW_WEBHOOKS: nothing listens on port 9. */
export const WEBHOOK_URL = 'http://localhost:9';
export const PASSWORD = 'a fuzzed password';
/** Sets a new password of the first spare account, until it is used up. */
export const RESET_CODE = 'AAAAAAAA';
/** The same, in a mailed link. */
export const RESET_TOKEN = 'A'.repeat(22);
/** E-mail and organization of who signs in. */
export const PEOPLE: Readonly<
  Record<Exclude<FuzzPrincipal, 'nobody'>, readonly [email: string, organization: string]>
> = {
  user: ['fuzz.user@klant.nl', 'klant'],
  logger: ['fuzz.logger@spoor.nl', 'spoor'],
  admin: ['fuzz.admin@portaal.nl', 'admin'],
};
