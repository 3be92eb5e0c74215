/** What somebody can look for in the log. */
export const LOG_KINDS = {
  'sign-in': 'Aanmelden',
  refusal: 'Geweigerd',
  account: 'Accounts',
  organization: 'Organisaties',
  machine: 'Machines',
  logger: 'Loggers',
  definition: 'Datadefinities',
  view: 'Inzage en downloads',
} as const;
export type LogKind = keyof typeof LOG_KINDS;
