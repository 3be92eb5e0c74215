import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDeadlock } from '#server/platform/database.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import { AdminTestPortal } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('koper');
});
afterAll(() => a.close());

/** Yields pseudorandom whole numbers from 0 to 2^24 - 1. An equal seed gives an equal sequence in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

test('simultaneous changes by many administrators cause no error, and no logger gets two machines and no machine two owners at a time (API-03, API-05, INGEST-06)', async () => {
  const random = numbers(20_261_121);
  const pick = <T>(list: readonly T[]): T => list[random.next().value % list.length] as T;
  const serials = ['X-1', 'X-2', 'X-3'];
  const loggers = ['8000001', '8000002', '8000003'];
  const form = () => ({ influx_serial: pick(loggers), bedrijf: pick(['klant', 'koper']) });
  const some: (() => Promise<{ status: number; text: string }>)[] = [
    () => a.create(pick(serials), form()),
    () => a.bind(pick(serials), pick(loggers), pick(['', ...serials])),
    () =>
      a.edit(pick(serials), {
        ...form(),
        current_serial: pick(serials),
        dbc_machine: pick(['', ...serials]),
      }),
    () => a.sell(pick(serials), pick(['klant', 'koper']), { from: pick(['klant', 'koper']) }),
    () => {
      const [influx_serial, replaces] = [pick(loggers), pick(loggers)];
      const body = { serial: pick(serials), from: pick(serials), influx_serial, replaces };
      return a.call('POST /api/machine/writer/replace', { body });
    },
    async () => {
      const serial = pick(serials);
      const health = (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
      const id = health.formerLoggers?.[0]?.id ?? 1;
      return a.call('POST /api/machine/writer/take-back', { body: { serial, id } });
    },
    () => a.call('DELETE /api/machine/delete', { query: { machine_serial: pick(serials) } }),
    () => a.call('POST /api/machine/writer/release', { body: { serial: pick(serials) } }),
    () => a.call('POST /api/machine/writer/key', { body: { serial: pick(serials) } }),
    async () => {
      const gone = (await a.call('GET /api/machine/get/deleted')).json as { _id: number }[];
      return a.call('POST /api/machine/restore', { body: { _id: gone.length > 0 ? pick(gone)._id : 1 } });
    },
  ];
  const statuses = new Map<number, number>();
  for (let round = 0; round < 30; round++) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => pick(some)()));
    for (const { status, text } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 400, 404, 409], text).toContain(status);
    }
    a.fleet.clock += 1_000;
  }
  expect(statuses.get(200)).toBeGreaterThan(20);
  const overlaps = async (table: string, key: string) =>
    (
      await a.portal.pool.query(
        `select count(*)::int as n from ${table} x join ${table} y on y.${key} = x.${key} and y.id > x.id
           and tstzrange(x.valid_from, x.valid_to) && tstzrange(y.valid_from, y.valid_to)`,
      )
    ).rows[0].n;
  expect(await overlaps('writer', 'logger_serial')).toBe(0);
  expect(await overlaps('ownership', 'stream_id')).toBe(0);
  const { rows } = await a.portal.pool.query(
    `select count(*)::int as n from writer w join stream s on s.id = w.stream_id
     where w.valid_to = 'infinity' and s.deleted_at is not null`,
  );
  expect(rows[0].n).toBe(0);
});

test('a change that PostgreSQL aborts twice because of a deadlock is retried and succeeds (API-05)', async () => {
  expect((await a.create('D-1')).status).toBe(200);
  const other = await a.portal.pool.connect();
  /**
   * Runs a statement in the transaction of `other` that deadlocks with an edit.
   * @returns whether PostgreSQL aborted the edit; false: it aborted the transaction of `other`
   */
  const meetEdit = async () => {
    await waitForLockWaits(a.portal.pool);
    await other.query('savepoint before');
    const isEdit = await other.query(`select from stream where serial = 'D-1' for update`).then(
      () => true,
      (error) => {
        if (isDeadlock(error)) return false;
        throw error;
      },
    );
    await other.query('rollback to savepoint before');
    return isEdit;
  };
  try {
    // The transaction that has waited longer detects the deadlock first, and PostgreSQL aborts that one: the edit, unless this process
    // pauses for a second. So this repeats until the edit was aborted twice.
    for (let isTwice = false; !isTwice; ) {
      await other.query('begin');
      await other.query(`select from change_counter where name = 'directory' for update`);
      const editing = a.edit('D-1', { alias: 'Bedacht' });
      isTwice = (await meetEdit()) && (await meetEdit());
      await other.query('rollback');
      const { status, text } = await editing;
      expect([status, text]).toEqual([200, expect.any(String)]);
    }
  } finally {
    other.release(true);
  }
  const { rows } = await a.portal.pool.query(`select alias from stream where serial = 'D-1'`);
  expect(rows).toEqual([{ alias: 'Bedacht' }]);
});
