import { resolve } from 'node:path';
import { z } from 'zod';
import { readOutboundAllow } from '#server/platform/outbound-allow.ts';
import { PORTAL_TASK_NAMES, type PortalTask } from '#shared/domain/portal-tasks.ts';

/** First path segments of the portal's own routes, which cannot be the name of the upload bucket. */
const NO_BUCKETS = [
  'api',
  'tiles',
  'assets',
  'signin',
  'machine',
  'lmb-logging',
  'organization',
  'users',
  'logboek',
  'test',
  'metrics',
];

const url = z.url({ protocol: /^https?$/, error: 'is no http(s) address' });
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'is no postgresql:// address' }).optional();
const tiles = url.refine((text) => ['{z}', '{x}', '{y}'].every((part) => text.includes(part)), {
  error: 'must hold {z}, {x} and {y}',
});

const secretsKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits (32 random bytes)' })
  .optional();

const outboundAllow = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine((entries) => readOutboundAllow(entries) !== undefined, {
    error:
      'must be hosts, hosts with a port or networks such as 10.20.0.0/16, separated by commas; http:// only for this machine itself',
  });

const whole = (least: number, most: number) => {
  const error = `lies outside ${least} to ${most}`;
  return z.coerce
    .number({ error: 'is no number' })
    .int({ error: 'is no whole number' })
    .min(least, { error })
    .max(most, { error });
};

/** Parses a number of MiB, at most 1 PiB: a larger number of bytes would not be an exact integer. */
const mebibytes = (otherwise: number) => whole(1, 1_073_741_824).default(otherwise);

/** Settings (docs/design.md section 3); `.env.example` documents every name. */
const Environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65535).default(3000),
  PUBLIC_URL: url
    .refine((text) => /^https?:\/\/[^/?#]+\/*$/.test(text), {
      error: 'has a path: the portal is served at the root of a host name of its own',
    })
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl,
  CELLS: whole(1, 100).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'is no time such as 03:30' })
    .default('03:30'),
  BACKUP_KEEP: whole(1, 3650).default(14),
  ADMIN_EMAIL: z.email({ error: 'is no e-mail address' }).optional(),
  ADMIN_PASSWORD: z.string().min(12, { error: 'has fewer than 12 characters' }).optional(),
  REQUIRE_SECOND_FACTOR: z
    .enum(['admin', 'all', 'none'], { error: "must be 'admin', 'all' or 'none'" })
    .default('admin'),
  SECRETS_KEY: secretsKey,
  SECRETS_KEY_OLD: secretsKey,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is no smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^\p{C}<>@"]+ <[^\s\p{C}<>@]+@[^\s\p{C}<>@]+>|[^\s\p{C}<>@]+@[^\s\p{C}<>@]+)$/u, {
      error: "must be an address such as portal@example.nl or 'Portal <portal@example.nl>'",
    })
    .optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      {
        error: 'must be origins such as https://portal.example.nl, separated by commas',
      },
    ),
  DELETED_DAYS: whole(1, 3650).default(30),
  LOG_DAYS: whole(30, 3650).default(400),
  LOGGER_APN: z.string().default('internet'),
  LOGGER_APN_USER: z.string().default(''),
  LOGGER_APN_PASSWORD: z.string().default(''),
  LOGGER_ROOT_CA: z
    .string()
    .default('')
    .transform((pem) => pem.replaceAll('\\n', '\n'))
    .refine((pem) => pem === '' || pem.includes('-----BEGIN CERTIFICATE-----'), {
      error: 'is no PEM certificate',
    }),
  UPLOAD_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'is no S3 bucket name' })
    .refine((name) => !NO_BUCKETS.includes(name), { error: 'is the name of one of our own routes' })
    .default('telemetry'),
  LOG_MIB_PER_KEY_DAY: mebibytes(2048),
  LOG_MIB_PER_ORGANIZATION: mebibytes(102_400),
  STREET_TILES_URL: tiles.default('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  STREET_TILES_ATTRIBUTION: z.string().default('© OpenStreetMap-bijdragers'),
  SATELLITE_TILES_URL: tiles.default(
    'https://services.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer/tile/{z}/{y}/{x}',
  ),
  SATELLITE_TILES_ATTRIBUTION: z.string().default('© Esri, Maxar, Earthstar Geographics'),
  SECURITY_CONTACT: z
    .string()
    .transform((text) => (z.email().safeParse(text).success ? `mailto:${text}` : text))
    .refine((text) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(text), {
      error: 'must be an e-mail address, an https:// address or tel:+31…',
    })
    .optional(),
  TRUST_PROXY: z
    .enum(['off', 'on'], { error: "must be 'off' or 'on'" })
    .default('off')
    .transform((value) => value === 'on'),
  OUTBOUND_ALLOW_OIDC: outboundAllow,
  OUTBOUND_ALLOW_WEBHOOKS: outboundAllow,
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{24,}$/, { error: 'must be 24 or more letters, digits or - . _ ~ + / =' })
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
});

/** Settings whose values are not repeated in messages. */
const SECRET: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'SECRETS_KEY',
  'SECRETS_KEY_OLD',
  'LOGGER_APN_PASSWORD',
  'METRICS_TOKEN',
]);

export type Config = Omit<z.output<typeof Environment>, 'PUBLIC_URL'> & { PUBLIC_URL: string };

export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape);

/** A setting that cannot be used; the message names it. */
export class ConfigError extends Error {}

/** Returns texts that no log may hold: the secrets of the settings, and the passwords in their URLs. */
export function secretTextsOf(config: Config): string[] {
  return [...SECRET].flatMap((name) => {
    const value = config[name as keyof Config];
    if (typeof value !== 'string' || value === '') return [];
    if (!URL.canParse(value)) return [value];
    const { password } = new URL(value);
    return [value, ...(password === '' ? [] : [password, decoded(password)])];
  });
}

/** Returns the decoded text; a % that begins no escape stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parses the settings once at the start. An empty variable counts as unset.
 * @throws ConfigError one sentence per wrong setting
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return SECRET.has(name)
        ? `${name} ${message}.`
        : `${name} ${message} (it is ${JSON.stringify(given[name])}).`;
    });
    throw new ConfigError(sentences.join('\n'));
  }
  const { PUBLIC_URL, ...rest } = parsed.data;
  if (rest.ADMIN_PASSWORD && !rest.ADMIN_EMAIL)
    throw new ConfigError('ADMIN_PASSWORD is set but ADMIN_EMAIL is not.');
  if (rest.MIGRATION_DATABASE_URL && !rest.DATABASE_URL)
    throw new ConfigError('MIGRATION_DATABASE_URL is set but DATABASE_URL is not.');
  for (const name of ['BACKUP_AT', 'BACKUP_KEEP'])
    if (given[name] !== undefined && rest.BACKUP_DIR === undefined)
      throw new ConfigError(`${name} is set but BACKUP_DIR is not.`);
  return {
    ...rest,
    DATA_DIR: resolve(rest.DATA_DIR),
    BACKUP_DIR: rest.BACKUP_DIR && resolve(rest.BACKUP_DIR),
    PUBLIC_URL: (PUBLIC_URL ?? `http://localhost:${rest.PORT}`).replace(/\/+$/, ''),
  };
}

/** Warnings that the portal logs at the start, one for each setting that a public portal still lacks. */
const TASK_WARNINGS: Readonly<Record<PortalTask, string>> = {
  mail: 'SMTP_URL is not set: mails (invitations, new passwords, alerts) become files in DATA_DIR/mail and reach no one.',
  'second-factor':
    'REQUIRE_SECOND_FACTOR is none: a password alone opens the portal, for administrators too.',
  https:
    'PUBLIC_URL is plain http: passwords and cookies travel unprotected, and browsers send fewer safeguards. Use https.',
  backup: 'BACKUP_DIR is not set: the portal makes no backups by itself.',
};

/**
 * Returns the settings that still have to be made for a public portal; none for a portal on localhost.
 * @param isOnCluster whether the database is a cluster, whose backups are made manually
 */
export function remainingSetupTasksOf(config: Config, isOnCluster: boolean): PortalTask[] {
  const { PUBLIC_URL, SMTP_URL, REQUIRE_SECOND_FACTOR, BACKUP_DIR } = config;
  const isMissing: Readonly<Record<PortalTask, boolean>> = {
    mail: !SMTP_URL,
    'second-factor': REQUIRE_SECOND_FACTOR === 'none',
    https: PUBLIC_URL.startsWith('http:'),
    backup: !BACKUP_DIR && !isOnCluster,
  };
  return isForOthers(config) ? PORTAL_TASK_NAMES.filter((task) => isMissing[task]) : [];
}

/** Returns warnings about settings that are allowed but unsafe. */
export function configWarnings(config: Config, isOnCluster: boolean): string[] {
  const { SMTP_URL, DATABASE_URL, MIGRATION_DATABASE_URL } = config;
  const warnings = remainingSetupTasksOf(config, isOnCluster).map((task) => TASK_WARNINGS[task]);
  if (SMTP_URL && isUnprotectedMail(new URL(SMTP_URL)))
    warnings.push(
      'SMTP_URL does not insist on TLS: mails, codes for new passwords among them, may travel unprotected. Use smtps://, or add ?requireTLS=true.',
    );
  for (const [name, url] of Object.entries({ DATABASE_URL, MIGRATION_DATABASE_URL })) {
    if (url && isUnprotectedDatabase(new URL(url)))
      warnings.push(
        `${name} is another host without TLS: everything in the database travels unprotected. Add ?sslmode=verify-full, unless nobody else is on the network between.`,
      );
  }
  return warnings;
}

/** Returns whether people open the portal from other machines. */
const isForOthers = ({ PUBLIC_URL }: Config): boolean => !isHere(new URL(PUBLIC_URL).hostname);

/** Returns whether the host is this machine, so that no data leaves it. */
const isHere = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

const isUnprotectedMail = ({ protocol, hostname, searchParams }: URL): boolean =>
  protocol === 'smtp:' && !isHere(hostname) && searchParams.get('requireTLS') !== 'true';

/** Reads the URL like pg: `host` in the query wins, and a host with a slash is the folder of a socket. */
function isUnprotectedDatabase({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decoded(hostname);
  if (host === '' || host.startsWith('/') || isHere(host)) return false;
  const mode = searchParams.get('sslmode') ?? process.env.PGSSLMODE;
  return !(mode ? mode !== 'disable' : ['true', '1'].includes(searchParams.get('ssl') ?? ''));
}
