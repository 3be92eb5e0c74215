/** A statement, or columns of its result, that `npm run check-sql` cannot check. The check fails if an exception is no longer needed. */

export type SqlCheckException = {
  /** Path of a file under src/server, then the names of functions in the file; without names: all functions of the file. */
  readonly of: string;
  /** Columns whose nullability PostgreSQL's parse tree does not show; absent: the whole statement is not checked. */
  readonly columns?: readonly string[];
  readonly why: string;
};

const FROM_CATALOG = 'names of tables come from the catalog';
const PASSES_ON = 'passes on the statements of others';

export const EXCEPTIONS: readonly SqlCheckException[] = [
  { of: 'platform/database.ts withTimeLimit', why: PASSES_ON },
  { of: 'platform/shards.ts inShard', why: PASSES_ON },
  { of: 'platform/jobs.ts', why: 'statements of pg-boss' },
  { of: 'backup/waiting-jobs.ts prepareQueues', why: 'statements of pg-boss' },
  { of: 'platform/migrate.ts withoutTimeLimit', why: 'the migrations' },
  { of: 'platform/migrate.ts lockTables', why: FROM_CATALOG },
  { of: 'platform/application-role.ts', why: FROM_CATALOG },
  { of: 'platform/postgres/connection.ts', why: 'names a role of a setting' },
  { of: 'platform/shards.ts makeShards', why: FROM_CATALOG },
  {
    of: 'platform/shards.ts delegateRoutineToShards',
    why: 'functions of Citus, which the embedded PostgreSQL does not have',
  },
  { of: 'metrics/metrics.store.ts', why: 'functions of Citus, which the embedded PostgreSQL does not have' },
  { of: 'backup/dump.ts', why: FROM_CATALOG },
  { of: 'backup/load.ts makeSchema', why: 'names of tables come from the backup' },
  { of: 'backup/load.ts copyPart', why: 'names of tables come from the backup' },
  { of: 'leaving/remains.ts', why: FROM_CATALOG },
  { of: 'telemetry/indexed-rollup.ts', why: 'partitions of the roll-up' },
  { of: 'telemetry/readings/shrink-weeks.ts', why: 'partitions of readings' },
  {
    of: 'alerts/charging-alerts.ts knownCharging',
    columns: ['until', 'figures'],
    why: 'an alert about charging is stored with its end and its figures',
  },
  {
    of: 'alerts/notification.store.ts loadChargingMail',
    columns: ['until', 'figures'],
    why: 'an alert about charging is stored with its end and its figures',
  },
  {
    of: 'alerts/nights-moved.store.ts readPeriods',
    columns: ['west', 'north', 'east'],
    why: 'a bucket with one edge has all four',
  },
  {
    of: 'auth/factors.store.ts listPasskeys',
    columns: ['credentialId', 'publicKey', 'counter', 'transports'],
    why: 'a constraint: a passkey has a key',
  },
  {
    of: 'auth/factors.store.ts findPasskey',
    columns: ['publicKey', 'counter', 'transports'],
    why: 'a constraint: a passkey has a key',
  },
  { of: 'auth/factors.store.ts listTotps', columns: ['secret'], why: 'a constraint: an app has a secret' },
  {
    of: 'invitations/invitation-mails.ts openInvitationMails',
    columns: ['email'],
    why: 'an invitation loses its address when it ends',
  },
  {
    of: 'invitations/accept-invitation.ts findInvitation',
    columns: ['email'],
    why: 'an invitation loses its address when it ends, which readPendingInvitation() knows',
  },
  {
    of: 'auth/sign-in-steps.ts consumeSecondStepAttempt',
    columns: ['passwordHash'],
    why: 'a step of an account has the hash of its password',
  },
  {
    of: 'invitations/invitations.store.ts',
    columns: ['email'],
    why: 'an invitation loses its address when it ends',
  },
  {
    of: 'logbook/logbook.store.ts readAuditLog',
    columns: ['cursor'],
    why: 'there is a first row of each instant that has a row',
  },
  {
    of: 'reports/report-machines.ts readMachines',
    columns: ['isOwn', 'isLabelled'],
    why: 'a machine that is not deleted has an owner',
  },
  {
    of: 'telemetry/empty-logs.store.ts readEmptyLogs',
    columns: ['since'],
    why: 'the aggregate has rows: their number is above 0',
  },
  {
    of: 'telemetry/quarantine.store.ts readQuarantined',
    columns: ['from', 'to'],
    why: 'readings in quarantine have a number and times, or none of them',
  },
  {
    of: 'work-weeks/calendars.store.ts readOwnWeeks',
    columns: ['name'],
    why: 'a week has one of three owners',
  },
];
