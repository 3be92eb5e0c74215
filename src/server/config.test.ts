import { describe, expect, test } from 'vitest';
import { ConfigError, configWarnings, readConfig, remainingSetupTasksOf, secretTextsOf } from './config.ts';

describe('settings', () => {
  test('the settings have defaults that work', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
      UPLOAD_BUCKET: 'telemetry',
      TRUST_PROXY: false,
      ALLOWED_ORIGINS: [],
      OUTBOUND_ALLOW_OIDC: [],
      OUTBOUND_ALLOW_WEBHOOKS: [],
      REQUIRE_SECOND_FACTOR: 'admin',
    });
  });

  test('an empty variable counts as unset, and PUBLIC_URL follows PORT', () => {
    expect(readConfig({ PORT: '8080', DATABASE_URL: '' })).toMatchObject({
      PUBLIC_URL: 'http://localhost:8080',
    });
  });

  test.each([
    [{ PORT: 'abc' }, /^PORT is no number \(it is "abc"\)\.$/],
    [{ PORT: '70000' }, /^PORT lies outside 0 to 65535/],
    [{ PUBLIC_URL: 'https://klant.nl/portaal' }, /^PUBLIC_URL has a path: the portal is served at the root/],
    [{ PUBLIC_URL: 'https://klant.nl?a=1' }, /^PUBLIC_URL has a path/],
    [{ PUBLIC_URL: 'portaal' }, /^PUBLIC_URL is no http\(s\) address/],
    [{ PUBLIC_URL: 'ftp://portaal' }, /^PUBLIC_URL is no http\(s\) address/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is no postgresql:\/\/ address/],
    [{ ADMIN_EMAIL: 'x' }, /^ADMIN_EMAIL is no e-mail address/],
    [{ ADMIN_EMAIL: 'a@b.nl', ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD has fewer than 12 characters\.$/],
    [{ ADMIN_PASSWORD: 'long enough, this' }, /^ADMIN_PASSWORD is set but ADMIN_EMAIL is not/],
    [{ REQUIRE_SECOND_FACTOR: 'ja' }, /^REQUIRE_SECOND_FACTOR must be 'admin', 'all' or 'none'/],
    [{ SECRETS_KEY: 'secret' }, /^SECRETS_KEY must be 64 hexadecimal digits \(32 random bytes\)\.$/],
    [{ SECRETS_KEY: '11'.repeat(31) }, /^SECRETS_KEY must be 64 hexadecimal digits \(32 random bytes\)\.$/],
    [{ ALLOWED_ORIGINS: 'https://a.nl/path' }, /^ALLOWED_ORIGINS must be origins/],
    [{ OUTBOUND_ALLOW_OIDC: 'http://inlog.intern.nl' }, /^OUTBOUND_ALLOW_OIDC must be hosts/],
    [{ OUTBOUND_ALLOW_WEBHOOKS: '*.intern.nl' }, /^OUTBOUND_ALLOW_WEBHOOKS must be hosts/],
    [{ UPLOAD_BUCKET: 'api' }, /^UPLOAD_BUCKET is the name of one of our own routes/],
    [{ UPLOAD_BUCKET: 'No' }, /^UPLOAD_BUCKET is no S3 bucket name/],
    [{ STREET_TILES_URL: 'https://tiles.nl/{z}/{x}' }, /^STREET_TILES_URL must hold \{z\}, \{x\} and \{y\}/],
    [{ TRUST_PROXY: 'yes' }, /^TRUST_PROXY must be 'off' or 'on'/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be/],
    [{ LOG_MIB_PER_KEY_DAY: '0' }, /^LOG_MIB_PER_KEY_DAY lies outside 1 to 1073741824 \(it is "0"\)\.$/],
    [{ LOG_MIB_PER_ORGANIZATION: '1.5' }, /^LOG_MIB_PER_ORGANIZATION is no whole number/],
    [{ UPLOAD_BUCKET: 'metrics' }, /^UPLOAD_BUCKET is the name of one of our own routes/],
    [
      { METRICS_TOKEN: 'x'.repeat(23) },
      /^METRICS_TOKEN must be 24 or more letters, digits or - . _ ~ \+ \/ =\.$/,
    ],
    [{ METRICS_TOKEN: 'no blanks between these words' }, /^METRICS_TOKEN must be 24 or more/],
  ] as [NodeJS.ProcessEnv, RegExp][])(
    'the setting %j is refused with a sentence that names it',
    (environment, sentence) => {
      expect(() => readConfig(environment)).toThrow(ConfigError);
      expect(() => readConfig(environment)).toThrow(sentence);
    },
  );

  test('the error about a wrong secret does not repeat its value', () => {
    expect(() => readConfig({ SECRETS_KEY: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ ADMIN_EMAIL: 'a@b.nl', ADMIN_PASSWORD: 'hunter2' })).not.toThrow(/hunter2/);
    expect(() => readConfig({ DATABASE_URL: 'http://u:hunter2@x' })).not.toThrow(/hunter2/);
  });

  test('secretTextsOf returns the secrets, including decoded passwords in URLs', () => {
    const config = readConfig({
      SMTP_URL: 'smtps://portaal:wacht%40woord@mail.example.nl',
      DATABASE_URL: 'postgresql://portaal@db.example.nl/portaal',
      METRICS_TOKEN: 'a-token-of-24-characters',
      HOST: '0.0.0.0',
    });
    expect(secretTextsOf(config)).toEqual([
      'postgresql://portaal@db.example.nl/portaal',
      'smtps://portaal:wacht%40woord@mail.example.nl',
      'wacht%40woord',
      'wacht@woord',
      'a-token-of-24-characters',
    ]);
  });

  test.each([
    [{ SMTP_URL: 'smtp://u:p@mail.klant.nl:587' }, /^SMTP_URL does not insist on TLS/],
    [{ SMTP_URL: 'smtp://127.evil.nl' }, /^SMTP_URL/],
    [{ DATABASE_URL: 'postgresql://u:p@db.klant.nl/w' }, /^DATABASE_URL is another host without TLS/],
    [{ DATABASE_URL: 'postgresql://u:p@db.klant.nl/w?sslmode=disable' }, /^DATABASE_URL/],
    [{ DATABASE_URL: 'postgresql://u:p@localhost/w?host=db.klant.nl' }, /^DATABASE_URL/],
    [
      {
        DATABASE_URL: 'postgresql://u:p@db/w?sslmode=verify-full',
        MIGRATION_DATABASE_URL: 'postgresql://o:p@db/w',
      },
      /^MIGRATION_DATABASE_URL is another host/,
    ],
    [
      { PUBLIC_URL: 'http://portaal.klant.nl', SMTP_URL: 'smtps://mail.klant.nl' },
      /^PUBLIC_URL is plain http/,
    ],
  ])('the start warns about connections to another host without TLS: %j (13.10f)', (settings, warning) => {
    const warnings = configWarnings(readConfig(settings as Record<string, string>), true);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(warnings.join()).not.toContain(':p@');
  });

  test('the start warns about a public portal without a mail server or a second factor, not about a local one (55.2)', () => {
    const settings = { PUBLIC_URL: 'https://portaal.klant.nl', REQUIRE_SECOND_FACTOR: 'none' };
    expect(configWarnings(readConfig(settings), true)).toEqual([
      expect.stringMatching(/^SMTP_URL is not set: .* reach no one\.$/),
      expect.stringMatching(/^REQUIRE_SECOND_FACTOR is none: /),
    ]);
    expect(configWarnings(readConfig(settings), false)).toContainEqual(
      expect.stringMatching(/^BACKUP_DIR is not/),
    );
    const here = readConfig({ ...settings, PUBLIC_URL: 'http://localhost:3000' });
    expect([configWarnings(here, false), remainingSetupTasksOf(here, false)]).toEqual([[], []]);
  });

  test('the list of tasks for a public portal names a missing mail server, second factor, https and backups (55.33)', () => {
    const bare = { PUBLIC_URL: 'http://portaal.klant.nl', REQUIRE_SECOND_FACTOR: 'none' };
    expect(remainingSetupTasksOf(readConfig(bare), false)).toEqual([
      'mail',
      'second-factor',
      'https',
      'backup',
    ]);
    expect(remainingSetupTasksOf(readConfig(bare), true)).toEqual(['mail', 'second-factor', 'https']);
    const whole = {
      PUBLIC_URL: 'https://portaal.klant.nl',
      SMTP_URL: 'smtps://mail.klant.nl',
      BACKUP_DIR: '/mnt/backup',
    };
    expect(remainingSetupTasksOf(readConfig(whole), false)).toEqual([]);
  });

  test.each([
    { SMTP_URL: 'smtps://u:p@mail.klant.nl:465' },
    { SMTP_URL: 'smtp://mail.klant.nl:587?requireTLS=true' },
    { SMTP_URL: 'smtp://localhost:25' },
    { SMTP_URL: 'smtp://[::1]:25' },
    { DATABASE_URL: 'postgresql://u:p@127.0.0.1/w' },
    { DATABASE_URL: 'postgresql://u:p@localhost/w?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgresql://u:p@%2Fvar%2Frun/w' },
    { DATABASE_URL: 'postgresql://u:p@db.klant.nl/w?sslmode=require' },
    { DATABASE_URL: 'postgresql://u:p@db.klant.nl/w?ssl=true' },
  ])('the start does not warn about the settings %j (13.10f)', (settings) => {
    expect(configWarnings(readConfig(settings as Record<string, string>), true)).toEqual([]);
  });

  test('the security contact must be a valid address (13.10g)', () => {
    const contact = (SECURITY_CONTACT: string) => readConfig({ SECURITY_CONTACT }).SECURITY_CONTACT;
    expect(contact('lek@klant.nl')).toBe('mailto:lek@klant.nl');
    expect(contact('https://klant.nl/lek')).toBe('https://klant.nl/lek');
    for (const wrong of ['klant', 'http://klant.nl/lek', 'mailto:x', 'https://klant.nl/\nExpires: never'])
      expect(() => contact(wrong), wrong).toThrow(/SECURITY_CONTACT must be/);
  });

  test('the error names all wrong settings', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
  });
});
