/** Faults whose checks are test files of the repository. `npm test` also runs the short ones among these files. */
import type { Fault } from './fault.ts';
import { runPlaywright, runVitest } from './test-run.ts';

export const smtpGone: Fault = {
  name: 'mail server gone for an hour',
  done: 'the mail server refuses connections for an hour, in which the test moves the clock of the jobs from one retry to the next; five mails wait: about two events to two subscribers each, and a password code',
  holds: 'each of the five mails is delivered exactly once',
  run: (context) => runVitest(context, 'smtp-gone.fault.ts', { FAULT_SMTP_MINUTES: '60' }),
};

export const brokenPartition: Fault = {
  name: 'weekly partitions cannot be created',
  done: "one after the other: another table has the name of this week's partition; the portal may not create partitions; a long transaction reads the table",
  holds:
    'no upload is refused; one warning per cause; when the cause is removed, the portal creates the partition and moves the readings to it; every figure stays the same',
  run: (context) => runVitest(context, 'broken-partition.long.test.ts'),
};

export const clockJumps: Fault = {
  name: 'clock jumps',
  done: "the server's clock is 1 hour ahead, 1 hour behind, in 1970, in 2038 or wrong by minutes, and then correct again",
  holds:
    'readings are stored, refused (and sent again by the logger) or quarantined by the rules of docs/design.md section 7; live data do not depend on the clock; a session ends after its 14 days; no mail is sent twice or lost',
  run: (context) => runVitest(context, 'clock.long.pg.test.ts'),
};

export const databaseUpgrade: Fault = {
  name: 'upgrade of a full database',
  done: 'while a portal of the current version runs on a database with rows in every table, a later version migrates the database: a new column, changed functions and one more signal',
  holds:
    'every row of every table is kept; the new functions have replaced the old ones; the running portal continues to store uploads and to show them',
  run: (context) => runVitest(context, 'upgrade.external.pg.test.ts'),
};

export const networkLoss: Fault = {
  name: 'browser without network for a minute and an hour',
  done: 'Chromium, with the map open, is offline for 60 s, and for an hour of simulated time',
  holds:
    'a banner shows the outage; the age of the data is correct; the newest data are shown within 5 s after the network is back; the console has only the browser’s messages about the network and one warning',
  run: (context) => runPlaywright(context, 'network-loss.spec.ts', { FAULT_OFFLINE_S: '60' }),
};
