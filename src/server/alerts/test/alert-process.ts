import { tmpdir } from 'node:os';
import { startAlerts } from '#server/alerts/alerts.ts';
import { openMailer } from '#server/mail/mail.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import type { Pool } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { openOutbound } from '#server/platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from '#server/platform/outbound-allow.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { openPushSender } from '#server/push/push.ts';
import { openWebhooks } from '#server/webhooks/webhooks.ts';

/** A retry policy: retries that otherwise take hours are made within a minute. */
const QUICK = { retries: 50, firstRetryS: 1, longestRetryS: 1 };

export type AlertProcess = {
  /** Evaluates readings and sends the notifications that are due. */
  evaluate(): Promise<void>;
  close(): Promise<void>;
};

type Surroundings = {
  readonly pool: Pool;
  /** Port of the mail server, which may be down. */
  readonly port: number;
  readonly warnings: string[];
  readonly now: () => number;
  /** Timeout of the mail server. */
  readonly timeoutMs?: number | undefined;
};

/** Starts the parts of a portal process that alerts need; it retries mails every second. */
export async function startAlertProcess({
  pool,
  port,
  warnings,
  now,
  timeoutMs = 2_000,
}: Surroundings): Promise<AlertProcess> {
  const warn = (what: string, reason: string) => void warnings.push(`${what}: ${reason}`);
  const publicUrl = 'https://portaal.nl';
  const secrets = deriveSecrets('11'.repeat(32));
  const jobs = await openJobs(pool, warn);
  const transport = openMailTransport(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: publicUrl, DATA_DIR: '/nowhere' },
    timeoutMs,
  );
  const mail = await openMailer(jobs, transport, warn, QUICK);
  const outbound = openOutbound({ allow: readOutboundAllow([]) as OutboundAllow });
  const push = await openPushSender({ db: pool, secrets, outbound, publicUrl, warn, now });
  const webhooks = openWebhooks({ pool, outbound, secrets, warn, now });
  const parts = {
    pool,
    db: pool,
    jobs,
    mail,
    push,
    webhooks,
    secrets,
    publicUrl,
    dataDir: tmpdir(),
    warn,
    now,
  };
  const alerts = await startAlerts(parts, QUICK);
  let closed: Promise<void> | undefined;
  return {
    async evaluate() {
      await alerts.evaluateReadings();
      await alerts.notify();
    },
    close() {
      closed ??= Promise.all([alerts.close(), webhooks.close()]).then(() => jobs.close());
      return closed;
    },
  };
}
