import { addCursors } from '#server/alerts/cursors.store.ts';
import { addRule } from '#server/alerts/rules.store.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { SECRETS_KEY } from '#server/test/portal.ts';
import { generateWebhookSecret } from '#server/webhooks/signature.ts';
import { addWebhook } from '#server/webhooks/webhooks.store.ts';
import type { RuleSettings } from '#shared/domain/alerts/kinds/kind.ts';
import {
  ALERT_KINDS,
  type AlertKind,
  defaultSettings,
  isReadingKind,
  isTimerAlertKind,
} from '#shared/domain/alerts/kinds.ts';
import { READING_KINDS } from '#shared/domain/alerts/test/random-machine-history.ts';
import type { TimerRule } from '#shared/domain/alerts/test/timer-alert-oracle.ts';
import type { WatchedRule } from '#shared/domain/alerts/watch.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** An organization with rules, recipients and a simulated clock, whose rules two portals evaluate. */

/** Two rules of each kind: one of the organization, and a person's own rule, which opens its alert sooner. */
const ASKED: readonly {
  readonly kind: AlertKind;
  readonly settings: RuleSettings;
  readonly isOwn: boolean;
}[] = [
  ...READING_KINDS.flatMap((kind) => {
    const atOnce = 'hold' in ALERT_KINDS[kind].settings ? { hold: 0 } : {};
    return [
      { kind, settings: defaultSettings(kind), isOwn: false },
      { kind, settings: { ...defaultSettings(kind), ...atOnce }, isOwn: true },
    ];
  }),
  { kind: 'silent', settings: { threshold: 24 }, isOwn: false },
  { kind: 'silent', settings: { threshold: 3 }, isOwn: true },
  { kind: 'unseen', settings: { threshold: 60 }, isOwn: false },
  { kind: 'unseen', settings: { threshold: 15 }, isOwn: true },
];

const DAY_MS = 86_400_000;

export type FleetWithRules = {
  readonly machines: readonly number[];
  readonly ofReadings: readonly WatchedRule[];
  readonly ofTheClock: readonly TimerRule[];
  /** The recipient's account, by the key of the rule. */
  readonly recipients: ReadonlyMap<string, number>;
};

/**
 * Creates machines that sent a reading a minute before `range`; later readings arrive at the time in `simulated_clock`.
 * @param hookUrl address of a webhook
 * @param range the range of all readings, in ms
 */
export async function makeFleet(
  pool: Pool,
  { count, hookUrl, range }: { readonly count: number; readonly hookUrl: string; readonly range: Range },
): Promise<FleetWithRules> {
  const organizationId = await createOrganization(pool, {
    name: 'klant',
    clean: 'Klant',
    isLmbCustomer: false,
  });
  const account = { passwordHash: '', organizationId, isConfirmed: true } as const;
  const boss = (await createAccount(pool, {
    ...account,
    email: 'baas@klant.nl',
    role: 'beheerder',
  })) as number;
  const anna = (await createAccount(pool, {
    ...account,
    email: 'anna@klant.nl',
    role: 'gebruiker',
  })) as number;
  const hook = {
    organizationId,
    name: 'Planning',
    url: hookUrl,
    madeBy: boss,
    secret: generateWebhookSecret(),
  };
  await addWebhook(pool, deriveSecrets(SECRETS_KEY), hook);
  const machines: number[] = [];
  for (let n = 1; n <= count; n += 1)
    machines.push(
      await createMachine(pool, {
        serial: `K-${n}`,
        alias: `Kraan ${n}`,
        organizationId,
        brand: 'Volta',
        model: 'EX-1',
        macaddress: '',
        batteries: [{ capacity: 100 }],
        accessories: [],
        initialHours: 0,
      }),
    );

  const ofReadings: WatchedRule[] = [];
  const ofTheClock: TimerRule[] = [];
  const recipients = new Map<string, number>();
  for (const { kind, settings, isOwn } of ASKED) {
    const inWorkOnly = kind === 'speeding' && !isOwn;
    const rule = {
      ruleName: `${kind}${isOwn ? ', sooner' : ''}`,
      kind,
      settings,
      hours: inWorkOnly ? 'work' : 'always',
      machines: 'all',
      ids: [],
      severity: kind === 'moved' ? 'urgent' : 'notice',
      accounts: [],
      roles: isOwn ? [] : ['beheerder' as const],
      tellsEnd: kind === 'low',
      isOn: true,
    } as const;
    const begin = new Date(range.from);
    const key = `${await addRule(pool, organizationId, isOwn ? anna : null, rule, begin)}.1`;
    recipients.set(key, isOwn ? anna : boss);
    if (isTimerAlertKind(kind)) ofTheClock.push({ key, kind: kind as TimerRule['kind'], settings });
    if (isReadingKind(kind)) ofReadings.push({ key, kind, settings, inWorkOnly, from: range.from });
  }

  await pool.query(`create table simulated_clock (now timestamptz not null);
    grant select on simulated_clock to public;
    create function simulated() returns trigger language plpgsql as
      $$ begin new.updated_at := (select now from public.simulated_clock); return new; end $$;
    create trigger simulated before insert or update on latest for each row execute function simulated()`);
  await pool.query('insert into simulated_clock values ($1)', [new Date(range.from)]);
  for (let day = range.from - DAY_MS; day <= range.to + DAY_MS; day += DAY_MS)
    await pool.query('select ensure_week($1)', [new Date(day)]);
  const before = machines.map((streamId) => ({ streamId, time: range.from - 60_000, signals: {} }));
  await storeReadings(pool, before);
  await addCursors(pool, [organizationId]);
  return { machines, ofReadings, ofTheClock, recipients };
}
