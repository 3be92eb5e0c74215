/** Kinds of entries by which the log is filtered. */
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
