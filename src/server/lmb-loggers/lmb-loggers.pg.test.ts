import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { purgeDeletedStreams as purgeDeleted } from '#server/upkeep.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('spoor', { isLmbCustomer: true });
  await a.portal.organization('rails', { isLmbCustomer: true });
});
afterAll(() => a.close());

const make = (loggerid: string, alias: string, organization = 'spoor') =>
  a.call('GET /api/berend/new', { query: { organization, loggerid, alias, clean: 'wat dan ook' } });
const remove = (loggerid: string) => a.call('DELETE /api/berend/delete', { query: { loggerid } });
const one = (query: Record<string, string>) => a.call('GET /api/berend/get/one', { query });
const list = async () => (await a.call('GET /api/berend/get')).json;
const streams = async () =>
  (await a.portal.pool.query('select count(*)::int as n from stream where deleted_at is null')).rows[0].n;

describe('creating an LMB logger', () => {
  test('creating an LMB logger stores it with its company, and logs the administrator (LOG-01, LOG-02, API-01)', async () => {
    const answer = await make(' 7100001 ', 'Krol Één');
    expect([answer.status, answer.json]).toEqual([
      200,
      { message: 'LMB logger is gemaakt.', loggerid: '7100001' },
    ]);
    const logger = { alias: 'Krol Één', loggerid: '7100001', organization: 'spoor', cleanorg: 'spoor BV' };
    expect(await list()).toEqual([logger]);
    expect((await one({ loggerid: '7100001' })).json).toEqual(logger);
    expect((await one({ alias: 'Krol Één' })).json).toEqual(logger);
    expect(await a.audited()).toContainEqual({
      actor: 'admin@portaal.nl',
      action: 'lmb-logger.create',
      subject: '7100001',
    });
  });

  test.each(['Krol (2)', "d'n Krol 2,5T", 'Krol 1/2 + #3 & co', '=1+1', '"Krol": [x]'])(
    'an LMB logger called %j is found by its name (52.9)',
    async (alias) => {
      const loggerid = `naam-${[...alias].map((sign) => sign.charCodeAt(0)).join('-')}`.slice(0, 64);
      expect((await make(loggerid, alias, 'rails')).status).toBe(200);
      expect((await one({ alias })).json).toMatchObject({ alias, loggerid });
      await remove(loggerid);
    },
  );

  test('an LMB logger whose loggerid has 7 digits is a ReXgen with that serial number, and gets a writer and a key at once (LOG-02, INGEST-06)', async () => {
    await make('7100002', 'Krol 2');
    const logger = await a.loggerOf('7100002');
    const at = Math.floor(a.fleet.clock / 1000);
    await a.fleet.snapshot(logger, { GMT_UNIX: at, Speed: 12.5 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    // Making the configuration creates no second key.
    expect(
      (
        await a.upload(
          '7100002',
          'VERSION ""\n\nBU_: ECU\n\nBO_ 1 A: 1 ECU\n SG_ Speed : 0|8@1+ (1,0) [0|0] "" X\n',
        )
      ).status,
    ).toBe(200);
    expect(
      (await a.call('GET /api/machine/config/create', { query: { serienummer: '7100002' } })).status,
    ).toBe(200);
    expect((await a.loggerOf('7100002')).accessKey).toBe(logger.accessKey);
    const health = await a.call('GET /api/machine/writer/health/7100002');
    expect(health.json).toMatchObject({ loggerId: '7100002' });
  });

  test('an LMB logger whose loggerid is not a serial number gets its writer when a ReXgen is bound to it (LOG-02)', async () => {
    await make('Kar-3', 'Krol 3');
    const health = await a.call('GET /api/machine/writer/health/Kar-3');
    expect([health.status, health.json.chain.writer]).toEqual([200, false]);
    expect((await a.bind('Kar-3', '7100003')).status).toBe(200);
  });

  test.each([
    ['no organization', { organization: '' }, 400, 'Kies een organisatie.'],
    ['an unknown organization', { organization: 'weg' }, 400, "Organisatie 'weg' bestaat niet."],
    [
      'an organization that is no LMB logging customer',
      { organization: 'klant' },
      400,
      "Organisatie 'klant' heeft geen LMB Logging Account.",
    ],
    ['no loggerid', { loggerid: ' ' }, 400, 'Loggerid ontbreekt.'],
    ['a strange loggerid', { loggerid: '../x' }, 400, /^Loggerid mag alleen letters/],
    ['a route word', { loggerid: 'nieuw' }, 400, "Loggerid mag niet 'nieuw' zijn."],
    ['no name', { alias: '' }, 400, 'Naam ontbreekt.'],
    ['a route word as name', { alias: 'Nieuw' }, 400, "Naam mag niet 'Nieuw' zijn."],
    ['a long name', { alias: 'x'.repeat(65) }, 400, 'Naam mag hoogstens 64 tekens lang zijn.'],
    ['NUL', { alias: 'a\u0000b' }, 400, 'De aanvraag bevat een onleesbaar teken.'],
    [
      'a name that exists already',
      { alias: 'krol één' },
      409,
      "Deze organisatie heeft al een LMB logger 'krol één'.",
    ],
    [
      'a loggerid that exists already',
      { loggerid: '7100001' },
      409,
      'Er bestaat al een machine of LMB logger met dit nummer.',
    ],
  ])(
    'an LMB logger with %s is rejected, and nothing is created (API-03, LOG-02)',
    async (_, changed, status, message) => {
      const before = await streams();
      const query = { organization: 'spoor', loggerid: '7100099', alias: 'Nieuweling', ...changed };
      const answer = await a.call('GET /api/berend/new', { query });
      expect(answer.status).toBe(status);
      expect(answer.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
      expect(await streams()).toBe(before);
    },
  );

  test('an LMB logger cannot get the serial number or logger of a machine, and a machine cannot get the loggerid of an LMB logger (API-03, LOG-02)', async () => {
    await a.machine('7100010', { influx_serial: '7100011' });
    expect((await make('7100010', 'Krol 10')).status).toBe(409);
    const bound = await make('7100011', 'Krol 11');
    expect([bound.status, bound.message]).toEqual([
      409,
      'Logger 7100011 hoort bij machine 7100010. Koppel hem daar eerst los.',
    ]);
    expect((await a.create('7100001')).status).toBe(409);
  });

  test('exactly one of two simultaneous requests for the same loggerid, or for the same name in an organization, succeeds (API-05)', async () => {
    const sameId = await Promise.all([make('7100020', 'Krol 20'), make('7100020', 'Krol 21')]);
    expect(sameId.map(({ status }) => status).sort()).toEqual([200, 409]);
    const sameName = await Promise.all([make('7100022', 'Krol 22'), make('7100023', 'Krol 22')]);
    expect(sameName.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a call by a logger name that several organizations use must name the organization (LOG-01)', async () => {
    expect((await make('7100030', 'Dubbel')).status).toBe(200);
    expect((await make('7100031', 'Dubbel', 'rails')).status).toBe(200);
    const both = await one({ alias: 'Dubbel' });
    expect([both.status, both.message]).toEqual([
      400,
      "Meer loggers heten 'Dubbel'. Geef de organisatie erbij.",
    ]);
    expect((await one({ alias: 'Dubbel', organization: 'rails' })).json.loggerid).toBe('7100031');
    expect((await one({ loggerid: '7100030' })).json.organization).toBe('spoor');
  });
});

test('a call without a logger name gets 400, one with an unknown name or a machine’s 404 (API-03)', async () => {
  await a.create('M-1', { alias: 'Graver' });
  expect((await one({})).status).toBe(400);
  for (const query of [{ loggerid: 'weg' }, { alias: 'weg' }, { loggerid: 'M-1' }, { alias: 'Graver' }])
    expect(await one(query as Record<string, string>)).toMatchObject({
      status: 404,
      message: 'Deze logger bestaat niet.',
    });
});

describe('deleting an LMB logger', () => {
  test('after an LMB logger is deleted its loggerid and name are free, its key is rejected, and its readings stay for the grace period (API-05, LOG-01)', async () => {
    await make('7100040', 'Krol 40');
    const logger = await a.loggerOf('7100040');
    await a.fleet.snapshot(logger, { GMT_UNIX: Math.floor(a.fleet.clock / 1000), Speed: 3 });
    const answer = await remove('7100040');
    expect([answer.status, answer.message]).toEqual([
      200,
      'LMB logger is verwijderd. Zijn metingen blijven 30 dagen bewaard.',
    ]);
    expect((await one({ loggerid: '7100040' })).status).toBe(404);
    expect(await a.audited()).toContainEqual({
      actor: 'admin@portaal.nl',
      action: 'lmb-logger.delete',
      subject: '7100040',
    });
    await expect.poll(() => a.fleet.putStatus(logger, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    expect((await make('7100040', 'Krol 40')).status).toBe(200);

    const purge = async (days: number) => {
      await a.portal.pool.query(`update stream set purged_at = purged_at - interval '1 minute'`);
      return purgeDeleted(a.portal.pool, new Date(a.fleet.clock + days * 86_400_000), 30);
    };
    await purge(29);
    await purge(29);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    await purge(31);
    await purge(31);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(0);
    expect((await one({ loggerid: '7100040' })).status).toBe(200);
  });

  test('deleting an unknown loggerid or a machine gets 404, and the machine stays (API-03)', async () => {
    await a.create('M-2');
    for (const loggerid of ['weg', 'M-2', ''])
      expect(await remove(loggerid)).toMatchObject({
        status: 404,
        message: expect.stringContaining('logger bestaat niet'),
      });
    expect((await a.details('M-2')).status).toBe(200);
  });

  test('two simultaneous deletions of an LMB logger delete it once (API-05)', async () => {
    await make('7100050', 'Krol 50');
    const answers = await Promise.all([remove('7100050'), remove('7100050')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('restoring an LMB logger', () => {
  const deleted = async () => (await a.call('GET /api/berend/get/deleted')).json;
  const restore = async (_id: number) => {
    const answer = await a.call('POST /api/berend/restore', { body: { _id } });
    await a.portal.untilNotified();
    return answer;
  };
  const idOf = async (loggerid: string): Promise<number> =>
    (await deleted()).find((logger: { loggerid: string }) => logger.loggerid === loggerid)._id;

  test('restoring an LMB logger brings back its history, its ReXgen and its key, and logs the administrator (12.C4)', async () => {
    await make('7100060', 'Krol 60');
    const logger = await a.loggerOf('7100060');
    const at = Math.floor(a.fleet.clock / 1000);
    await a.fleet.snapshot(logger, { GMT_UNIX: at, Speed: 3 });
    await remove('7100060');
    expect(await deleted()).toContainEqual({
      _id: logger.streamId,
      loggerid: '7100060',
      alias: 'Krol 60',
      organization: 'spoor',
      cleanorg: 'spoor BV',
      deletedAt: expect.any(String),
      removedAt: expect.any(String),
    });
    const answer = await restore(logger.streamId);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        message: 'LMB logger is teruggezet. Logger 7100060 meldt zich weer met de sleutel die hij had.',
        loggerid: '7100060',
      },
    ]);
    expect((await one({ loggerid: '7100060' })).json.alias).toBe('Krol 60');
    await a.fleet.snapshot(logger, { GMT_UNIX: at + 1, Speed: 4 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    expect(await a.audited()).toContainEqual({
      actor: 'admin@portaal.nl',
      action: 'lmb-logger.restore',
      subject: '7100060',
    });
  });

  test('restoring an LMB logger is refused if another LMB logger took its loggerid or name in the meantime (12.C4)', async () => {
    for (const [loggerid, again, name, obstacle] of [
      ['7100061', '7100061', 'Krol 62', 'Het loggerid 7100061 is intussen van een andere machine.'],
      [
        '7100063',
        '7100064',
        'Krol 7100063',
        'De naam Krol 7100063 is intussen van een andere LMB logger van deze organisatie.',
      ],
    ] as const) {
      await make(loggerid, `Krol ${loggerid}`);
      await remove(loggerid);
      expect((await make(again, name)).status).toBe(200);
      const _id = await idOf(loggerid);
      expect(await deleted()).toContainEqual(expect.objectContaining({ _id, obstacle }));
      const answer = await restore(_id);
      expect([answer.status, answer.message]).toEqual([409, obstacle]);
    }
    // Another organization may have that name.
    await make('7100065', 'Krol 65');
    await remove('7100065');
    await make('7100066', 'Krol 65', 'rails');
    expect((await restore(await idOf('7100065'))).status).toBe(200);
  });

  test('restoring a machine as an LMB logger, or an LMB logger as a machine, gets 404 (12.C4)', async () => {
    await a.create('M-3');
    const machine = (await a.details('M-3')).json._id;
    await a.call('DELETE /api/machine/delete', { query: { machine_serial: 'M-3' } });
    await make('7100067', 'Krol 67');
    await remove('7100067');
    const answer = await restore(machine);
    expect([answer.status, answer.message]).toEqual([404, 'Deze logger bestaat niet.']);
    const _id = await idOf('7100067');
    expect((await a.call('POST /api/machine/restore', { body: { _id } })).status).toBe(404);
  });

  test('if an LMB logger is created while another with the same name is restored, exactly one of the two succeeds (12.C4)', async () => {
    await make('7100068', 'Krol 68');
    await remove('7100068');
    const _id = await idOf('7100068');
    const answers = await Promise.all([restore(_id), make('7100069', 'Krol 68')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
