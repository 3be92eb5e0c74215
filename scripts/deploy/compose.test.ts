import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, SETTING_NAMES } from '#server/config.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${ROOT}deploy/compose.yaml`, 'utf8');
const duration = z.string().regex(/^\d+(s|m|h)$/);

/** The part of the Compose specification that our file uses; other names are errors. */
const Service = z.strictObject({
  image: z.string().regex(/^[a-z]+(:[\w.-]+)?$/),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  profiles: z.array(z.enum(['postgres', 'embedded'])).min(1),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[a-z]+:\/[\w/]+$/)),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  init: z.boolean().optional(),
  stop_grace_period: duration,
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ulimits: z.strictObject({ nofile: z.number().int() }).optional(),
  shm_size: z
    .string()
    .regex(/^\d+(kb|mb|gb)$/)
    .optional(),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.enum(['CMD', 'CMD-SHELL']), z.string()], z.string()),
      interval: duration,
      timeout: duration,
      retries: z.number().int().positive(),
      start_period: duration,
    })
    .optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
});
const Compose = z.strictObject({
  name: z.string(),
  'x-portal': z.unknown(),
  services: z.strictObject({ portal: Service, postgres: Service, 'portal-embedded': Service }),
  volumes: z.record(z.string(), z.null()),
});
const read = (source: string) =>
  Compose.parse(parse(source, { merge: true, strict: true, uniqueKeys: true }));

test.each<[string, (text: string) => string]>([
  ['an unknown name', (good) => good.replace('restart:', 'restarts:')],
  ['a list that is none', (good) => good.replace('cap_drop:\n    - ALL', 'cap_drop: ALL')],
  [
    'a name that is there twice',
    (good) => good.replace('volumes:\n  portal:', 'name: x\nvolumes:\n  portal:'),
  ],
])('the check of the compose file finds an error: %s', (_what, spoil) => {
  expect(spoil(text)).not.toBe(text);
  expect(() => read(spoil(text))).toThrow();
});

describe('the compose file', () => {
  const { services, volumes } = read(text);
  const { portal, postgres, 'portal-embedded': embedded } = services;

  test('the compose file starts a portal with a PostgreSQL of 15 or newer, or a portal with an embedded one, never both', () => {
    expect([portal.profiles, postgres.profiles, embedded.profiles]).toEqual([
      ['postgres'],
      ['postgres'],
      ['embedded'],
    ]);
    expect(Number(/^postgres:(\d+)\.\d+/.exec(postgres.image)?.[1])).toBeGreaterThanOrEqual(15);
    expect(portal.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(postgres.healthcheck?.test).toContain('pg_isready');
    expect(embedded.environment?.DATABASE_URL).toBeUndefined();
  });

  test.each([
    ['portal', portal],
    ['portal-embedded', embedded],
  ])('%s gets SIGTERM and an init process, and may write only to its volumes', (_name, service) => {
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      env_file: '.env',
    });
    expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(10);
    expect(service.ulimits?.nofile).toBeGreaterThan(20_000);
    expect(service.volumes.map((volume) => volume.split(':')[1])).toEqual(['/data']);
  });

  test('the compose file uses every volume once, and shares none', () => {
    const used = Object.values(services).flatMap((service) =>
      service.volumes.map((volume) => volume.split(':')[0]),
    );
    expect(used.sort()).toEqual(Object.keys(volumes).sort());
  });

  test('the compose file contains no secret: secrets are in deploy/.env, whose example names only existing settings', () => {
    const example = parseEnv(readFileSync(`${ROOT}deploy/env.example`, 'utf8'));
    const { COMPOSE_PROFILES, POSTGRES_PASSWORD, ...settings } = example;
    expect(COMPOSE_PROFILES).toBe('postgres');
    expect(Object.keys(settings).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
    expect(
      Object.entries(example).filter(([name, value]) => /PASSWORD|KEY|TOKEN|SMTP/.test(name) && value),
    ).toEqual([]);
    const variables = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(new Set(variables)).toEqual(new Set(['POSTGRES_PASSWORD']));
    const urls = Object.fromEntries(
      Object.entries(portal.environment ?? {}).map(([name, url]) => [
        name,
        url.replace(/\$\{\w+[^}]*\}/, 'x'),
      ]),
    );
    expect(readConfig({ ...settings, ...urls })).toMatchObject({
      DATABASE_URL: 'postgresql://werkstroom_app:x@postgres:5432/werkstroom',
      MIGRATION_DATABASE_URL: 'postgresql://werkstroom:x@postgres:5432/werkstroom',
    });
  });
});
