import type { FuzzPrincipal } from './request.ts';

/** Names that fuzzed requests use. `world.mend` recreates the spare ones, which requests of the administrator may change and delete. */
export const FUZZ_NAMES = {
  /** Machines of the user and LMB loggers of the logger user; requests of the administrator do not change them. */
  serials: ['F-1', 'F-2'],
  loggerids: ['L-1'],
  /** Machines that requests may change and delete. */
  spareSerials: ['W-1', 'W-2', 'W-3'],
  spareLoggerids: ['WL-1', 'WL-2'],
  spareOrganizations: ['wegwerp-1', 'wegwerp-2'],
  spareEmails: ['weg1@wegwerp.nl', 'weg2@wegwerp.nl'],
  organizations: ['klant', 'spoor', 'admin'],
  emails: ['fuzz.user@klant.nl', 'fuzz.logger@spoor.nl'],
  /** Machines of two other organizations, in this order: one with a ReXgen logger, one with an LMB logger. */
  foreignSerials: ['KANARIE-1', 'KANARIE-2'],
  foreignOrganizations: ['kanarie', 'kanarie-spoor'],
  foreignEmails: ['kanarie@kanarie.nl'],
} as const;

/** Value of OUTBOUND_ALLOW_WEBHOOKS: nothing listens on port 9. */
export const WEBHOOK_URL = 'http://localhost:9';
export const PASSWORD = 'a fuzzed password';
/** Reset code of the first spare account, valid until it is used. */
export const RESET_CODE = 'AAAAAAAA';
/** Token of a reset link of the first spare account. */
export const RESET_TOKEN = 'A'.repeat(22);
/** E-mail address and organization of each person who signs in. */
export const FUZZ_PEOPLE: Readonly<
  Record<Exclude<FuzzPrincipal, 'nobody'>, readonly [email: string, organization: string]>
> = {
  user: ['fuzz.user@klant.nl', 'klant'],
  logger: ['fuzz.logger@spoor.nl', 'spoor'],
  admin: ['fuzz.admin@portaal.nl', 'admin'],
};
