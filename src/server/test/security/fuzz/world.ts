import { createHash, randomBytes } from 'node:crypto';
import { chargingUnsubscribeToken } from '#server/alerts/unsubscribe-token.ts';
import { createAccount } from '#server/auth/new-account.ts';
import { hashMailedCode, hashPassword } from '#server/auth/passwords.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { createOrganization, findOrganization } from '#server/organizations/organizations.store.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createStream, findStream } from '#server/streams/streams.store.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { changeSecret } from '#server/webhooks/webhooks.store.ts';
import { ADMIN_ORGANIZATION, type Role } from '#shared/domain/access.ts';
import { LOGGER_WIFI_PASSWORD, PRIVATE_LATITUDE, PRIVATE_TEXT_MARKER } from './canaries.ts';
import { dataUrl, FUZZ_DBC, pdfOfWord, photo } from './files.ts';
import { FUZZ_NAMES, FUZZ_PEOPLE, PASSWORD, RESET_CODE, RESET_TOKEN } from './names.ts';
import { storeFuzzReadings } from './readings.ts';
import type { FuzzPrincipal } from './request.ts';

/** A portal with the data of four organizations, and sessions. */
export type FuzzWorld = {
  /** Returns 'name=value' of a session. @param fresh whether no other request uses the session */
  cookie(principal: FuzzPrincipal, fresh: boolean): Promise<string | undefined>;
  /** Values that differ in each database: hashes of files, codes, tokens. */
  readonly known: {
    readonly photos: readonly string[];
    readonly manuals: readonly string[];
    readonly codes: readonly string[];
    readonly tokens: readonly string[];
  };
  /** Values that only an administrator's answers may contain. */
  readonly foreign: readonly string[];
  /** Recreates what requests have broken or deleted. */
  mend(): Promise<void>;
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export type FuzzTarget = { readonly address: string; readonly pool: Pool; readonly secrets: Secrets };

/** Fills an empty portal with the data of FuzzWorld. */
export async function fillFuzzPortal({ address, pool, secrets }: FuzzTarget): Promise<FuzzWorld> {
  const passwordHash = await hashPassword(PASSWORD);
  const codeHash = await hashMailedCode(RESET_CODE, FUZZ_NAMES.spareEmails[0]);

  async function organization(name: string, clean: string, isLmbCustomer = false): Promise<number> {
    return (await findOrganization(pool, name)) ?? createOrganization(pool, { name, clean, isLmbCustomer });
  }
  async function account(email: string, organizationId: number, password = passwordHash): Promise<void> {
    const { rowCount } = await pool.query('select from account where lower(email) = $1', [email]);
    if (rowCount === 0)
      await createAccount(pool, {
        email,
        passwordHash: password,
        organizationId,
        role: await roleIn(organizationId),
        isConfirmed: true,
      });
  }
  /** Returns the role of every account in an organization, including the first one: administrator in `admin`, otherwise gebruiker. */
  const roleIn = async (organizationId: number): Promise<Role> =>
    organizationId === (await findOrganization(pool, ADMIN_ORGANIZATION)) ? 'administrator' : 'gebruiker';
  async function machine(serial: string, organizationId: number, text: string): Promise<number> {
    const known = await findStream(pool, serial);
    if (known !== undefined) return known;
    return createMachine(pool, {
      serial,
      alias: `${text} ${serial}`,
      organizationId,
      brand: `${text} Volta`,
      model: `${text} EX`,
      macaddress: text,
      batteries: [{ capacity: 64 }],
      accessories: [{ naam: `${text} bak`, nummer: 1 }],
      initialHours: 10,
    });
  }
  async function lmbLogger(serial: string, organizationId: number, text: string): Promise<number> {
    const known = await findStream(pool, serial);
    return known ?? createStream(pool, 'logger', { serial, alias: `${text} ${serial}`, organizationId });
  }
  async function spare(): Promise<void> {
    const own = await organization('klant', 'Klant BV');
    const rail = await organization('spoor', 'Spoor BV', true);
    for (const serial of FUZZ_NAMES.spareSerials) await machine(serial, own, 'Weg');
    for (const loggerid of FUZZ_NAMES.spareLoggerids) await lmbLogger(loggerid, rail, 'Weg');
    for (const name of FUZZ_NAMES.spareOrganizations) await organization(name, `${name} BV`);
    for (const email of FUZZ_NAMES.spareEmails) await account(email, own);
    await pool.query('update organization set is_active = true where not is_active');
    await pool.query(
      `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
       select gen_random_uuid(), id, $2, now() + interval '1 hour', 5, $3, now() + interval '1 hour'
       from account where email = $1
       on conflict (token_hash) do update set tries_left = 5, used_at = null`,
      [FUZZ_NAMES.spareEmails[0], codeHash, hashOf(RESET_TOKEN)],
    );
  }
  async function session(email: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await pool.query(
      `insert into session (token_hash, account_id, expires_at)
       select $1, id, now() + interval '1 day' from (
         select id from account where lower(email) = $2 for key share
       ) as still`,
      [hashOf(token), email],
    );
    return token;
  }

  await orderIds(pool);
  await organization('admin', 'Beheer');
  await spare();
  for (const [email, name] of Object.values(FUZZ_PEOPLE)) {
    await account(email, (await findOrganization(pool, name)) as number);
  }
  const own = await organization('klant', '');
  const rail = await organization('spoor', '');
  const foreign = await organization('kanarie', `${PRIVATE_TEXT_MARKER} BV`);
  const foreignRail = await organization('kanarie-spoor', `${PRIVATE_TEXT_MARKER} Spoor`, true);
  await account(FUZZ_NAMES.foreignEmails[0], foreign, await hashPassword(randomBytes(20).toString('hex')));
  const streams = {
    'F-1': await machine('F-1', own, 'Eigen'),
    'F-2': await machine('F-2', own, 'Leeg'),
    'L-1': await lmbLogger('L-1', rail, 'Rail'),
    'KANARIE-1': await machine('KANARIE-1', foreign, PRIVATE_TEXT_MARKER),
    'KANARIE-2': await lmbLogger('KANARIE-2', foreignRail, PRIVATE_TEXT_MARKER),
  };
  const project = `insert into project (organization_id, name, client, first_day)
    select $1, $2, $2, '2026-01-01' from generate_series(1, $3::integer) returning id`;
  await pool.query(project, [own, 'Kade', 40]);
  await pool.query(project, [foreign, PRIVATE_TEXT_MARKER, 1]);
  await pool.query(
    `insert into assignment (project_id, stream_id, valid_from, valid_to)
     select p.id, $1, t, t + interval '1 hour' from generate_series(timestamptz '2025-01-01', '2025-01-02', '1 hour') t,
       (select min(id) as id from project where organization_id = $2) p`,
    [streams['F-1'], own],
  );
  const terrein = `insert into terrein (organization_id, name, areas, counted_from)
    select $1, $2 || n, '[]', now() from generate_series(1, $3::integer) n`;
  await pool.query(terrein, [own, 'Werf ', 40]);
  await pool.query(terrein, [foreign, `${PRIVATE_TEXT_MARKER} `, 1]);
  await pool.query(
    `insert into project_exception (project_id, stream_id, valid_from, valid_to)
     select p.id, $1, t, t + interval '1 hour' from generate_series(timestamptz '2026-01-03', '2026-01-04', '1 hour') t,
       (select min(id) as id from project where organization_id = $2) p`,
    [streams['F-1'], own],
  );
  const label = `insert into label (organization_id, name, colour)
    select $1, $2 || n, 'blue' from generate_series(1, $3::integer) n`;
  await pool.query(label, [own, 'Kade ', 40]);
  await pool.query(label, [foreign, `${PRIVATE_TEXT_MARKER} `, 1]);
  const webhook = `insert into webhook (organization_id, name, url, secret)
    select $1, $2, 'http://localhost:9', 'x' from generate_series(1, $3::integer) returning id`;
  for (const [organizationId, name, count] of [
    [own, 'Planning', 40],
    [foreign, PRIVATE_TEXT_MARKER, 1],
  ]) {
    const { rows } = await pool.query<{ id: number }>(webhook, [organizationId, name, count]);
    for (const { id } of rows) await changeSecret(pool, secrets, id, LOGGER_WIFI_PASSWORD);
  }
  await pool.query(
    `insert into webhook_delivery (webhook_id, event_id, type, body, asked_at) select id, id, 'test', '{}', now() from webhook`,
  );
  const rule = `insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, tells_end, is_on, valid_from)
    select $1, $2, 'silent', '{"threshold":24}', 'always', 'all', 'notice', false, false, now() from generate_series(1, $3::integer)`;
  await pool.query(rule, [own, 'Stil', 40]);
  await pool.query(rule, [foreign, PRIVATE_TEXT_MARKER, 1]);
  await pool.query(
    `insert into alert (rule_id, version, organization_id, kind, severity, words, since, at, is_news, made_at)
     select id, 1, organization_id, 'silent', 'notice', name, now(), now(), true, now() from alert_rule`,
  );
  await storeFuzzReadings(pool, streams['F-1'], 52);
  await storeFuzzReadings(pool, streams['L-1'], 51);
  await storeFuzzReadings(pool, streams['KANARIE-1'], PRIVATE_LATITUDE);
  await storeFuzzReadings(pool, streams['KANARIE-2'], PRIVATE_LATITUDE);

  const sessions = new Map<FuzzPrincipal, string>();
  for (const [principal, [email]] of Object.entries(FUZZ_PEOPLE)) {
    sessions.set(principal as FuzzPrincipal, await session(email));
  }
  const asAdmin = async (path: string, body?: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${address}${path}`, {
      headers: {
        ...SCRIPT_HEADERS,
        cookie: `werkstroom=${sessions.get('admin')}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const hashes = { img: [] as string[], manual: [] as string[] };
  for (const [serial, logger] of [
    ['F-1', '6100001'],
    ['KANARIE-1', '6999991'],
  ] as const) {
    for (const [path, file] of [
      ['img', photo(serial.length)],
      ['manual', pdfOfWord(serial === 'F-1' ? 'Handleiding' : PRIVATE_TEXT_MARKER)],
    ] as const) {
      const name = serial === 'F-1' ? 'a.pdf' : `${PRIVATE_TEXT_MARKER}.pdf`;
      const { url } = await asAdmin(`/api/${path}/upload`, { name, serial, file: dataUrl(file) });
      hashes[path].push(url?.split('/').at(-1) as string);
    }
    await asAdmin(`/api/machine/writer/create?serienummer=${serial}&influxserienummer=${logger}`);
    await asAdmin('/api/machine/dbc/upload', { serial, name: 'a.dbc', file: dataUrl(FUZZ_DBC) });
    await asAdmin('/api/machine/writer/network', {
      serial,
      kind: 'wifi',
      simPin: '73519',
      wifiSsid: 'werkplaats',
      wifiPassword: LOGGER_WIFI_PASSWORD,
    });
    await asAdmin(`/api/machine/config/create?serienummer=${serial}`);
  }
  const { rows } = await pool.query<{ code: string; name: string }>('select code, name from organization');
  const codeOf = (name: string): string => rows.find((row) => row.name === name)?.code as string;
  const { rows: accounts } = await pool.query<{ id: number }>('select id from account order by id');

  return {
    async cookie(principal, fresh) {
      if (principal === 'nobody') return undefined;
      return `werkstroom=${fresh ? await session(FUZZ_PEOPLE[principal][0]) : sessions.get(principal)}`;
    },
    known: {
      photos: hashes.img,
      manuals: hashes.manual,
      codes: [codeOf('klant'), codeOf('wegwerp-1')],
      tokens: [
        chargingUnsubscribeToken(secrets, {
          streamId: streams['F-1'],
          accountId: accounts[0]?.id as number,
          serial: 'F-1',
        }),
        chargingUnsubscribeToken(secrets, { streamId: 999_999, accountId: 999_999, serial: 'F-999999' }),
      ],
    },
    foreign: [
      PRIVATE_TEXT_MARKER,
      String(PRIVATE_LATITUDE),
      '6999991',
      codeOf('kanarie'),
      codeOf('kanarie-spoor'),
      codeOf('admin'),
    ],
    async mend() {
      await spare();
      for (const [principal, [email, name]] of Object.entries(FUZZ_PEOPLE)) {
        const { rowCount } = await pool.query('select from session where token_hash = $1', [
          hashOf(sessions.get(principal as FuzzPrincipal) as string),
        ]);
        if (rowCount === 1) continue;
        await account(email, (await findOrganization(pool, name)) as number);
        await pool.query(
          `update account set organization_id = o.id, role = $3 from organization o where o.name = $2 and email = $1`,
          [email, name, name === ADMIN_ORGANIZATION ? 'administrator' : 'gebruiker'],
        );
        sessions.set(principal as FuzzPrincipal, await session(email));
      }
      const { rowCount } = await pool.query(
        `select from writer w join stream s on s.id = w.stream_id where s.serial = 'W-1' and w.valid_to = 'infinity'`,
      );
      // The portal refuses this request if the logger is bound to another machine by now. Then W-1 has no logger until a later `mend`.
      if (rowCount === 0) {
        const headers = { ...SCRIPT_HEADERS, cookie: `werkstroom=${sessions.get('admin')}` };
        const query = 'serienummer=W-1&influxserienummer=6100011&dbcserienummer=F-1';
        await (await fetch(`${address}/api/machine/writer/create?${query}`, { headers })).text();
      }
    },
  };
}

/**
 * Gives new rows the ids 1, 2, 3 … instead of unordered ones (platform/sql/unordered-ids.sql), so that a seed always names the same rows.
 */
async function orderIds(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'give_unordered_id'`,
  );
  if (rows.length === 0) throw new Error('No table has the trigger give_unordered_id.');
  for (const { name } of rows) await pool.query(`alter table ${name} disable trigger give_unordered_id`);
}
