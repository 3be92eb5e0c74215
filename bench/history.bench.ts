/**
 * Questions about one machine's history (docs/design.md section 11), 100 machines x 30 days at 0.1 Hz, asked of the
 * portal over HTTP, each time of another machine. Reference: the same question asked of the raw rows in SQL, from this
 * process. HISTORY_MACHINES makes it fewer; the row says so.
 */
import { startBenchPortal } from './bench-portal.ts';
import { DAYS, fillHistory } from './history-data.ts';
import { type Asked, questionsOf } from './history-questions.ts';
import { median, percentile } from './median.ts';
import { inPairs, type Pair } from './pairs.ts';
import { type Bench, type Row, whole } from './row.ts';

const MACHINES = Number(process.env.HISTORY_MACHINES ?? 100);
/** Pairs with the reference, which takes seconds; and, for p95, questions of ours alone. */
const PAIRS = 9;
const ALONE = 100;

export const history: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  const streams = (await portal.machines(MACHINES)).map(({ streamId }) => streamId);
  place.say(
    `Making ${DAYS} days at 0.1 Hz of ${MACHINES} machines: ${whole(MACHINES * DAYS * 8_640)} readings`,
  );
  const range = await fillHistory(portal, streams, place.say);
  const cookie = await portal.signIn();
  const client = await portal.pool.connect();
  place.onClose(async () => client.release());

  /** Until the last byte: to make objects of it is the browser's work. */
  async function ask(path: string): Promise<string> {
    const answer = await fetch(`${portal.address}${path}`, { headers: { cookie } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }

  const rows: Row[] = [];
  for (const question of questionsOf(range)) {
    const asks = (n: number) => timed(() => ask(question.path(`BENCH-${n % MACHINES}`)));
    const { raw } = question;
    const pairs: Pair<Timed>[] = [];
    // Both sides of a pair ask of the same machine; the first pair warms up.
    for (let n = 0; raw && n <= PAIRS; n++) {
      const streamId = streams[n % MACHINES] as number;
      const [pair] = await inPairs(
        1,
        () => asks(n),
        () => timed(() => raw(client, streamId)),
      );
      if (!pair) continue;
      question.check(JSON.parse(pair.ours.answer as string), pair.reference.answer);
      if (n > 0) pairs.push(pair);
    }
    const alone: number[] = [];
    for (let n = 0; n < ALONE; n++) alone.push((await asks(PAIRS + 1 + n)).ms);
    rows.push(rowOf(question, pairs, alone, range.how));
    place.say(`${question.what}: ${rows.at(-1)?.measured}`);
  }
  return rows;
};

type Timed = { readonly ms: number; readonly answer: unknown };

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const began = performance.now();
  const answer = await work();
  return { ms: performance.now() - began, answer };
}

function rowOf(
  { what, most, p95 }: Asked,
  pairs: readonly Pair<Timed>[],
  alone: readonly number[],
  how: string,
): Row {
  const ours95 = percentile(alone, 0.95);
  // Times, not rates: less is better.
  const ratio =
    most === undefined ? undefined : median(pairs.map(({ ours, reference }) => ours.ms / reference.ms));
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const reach = [
    ...(most === undefined ? [] : [`<= ${most} x`]),
    ...(p95 === undefined ? [] : [`p95 <= ${p95} ms`]),
  ];
  return {
    what: `${what}, ${MACHINES} machines x ${DAYS} days at 0.1 Hz`,
    measured: `${ms(median(alone))}, p95 ${ms(ours95)}`,
    ...(most !== undefined && {
      reference: `${ms(median(pairs.map((pair) => pair.reference.ms)))} raw rows`,
    }),
    ...(ratio !== undefined && { ratio }),
    reach: reach.join(', '),
    reached: (ratio === undefined || ratio <= (most ?? 0)) && (p95 === undefined || ours95 <= p95),
    notes: [
      `pairs, ms: ${pairs.map(({ ours, reference }) => `${ours.ms.toFixed(1)}/${reference.ms.toFixed(1)}`).join('  ') || 'none'}`,
      `${alone.length} alone, ms: median ${ms(median(alone))}, p95 ${ms(ours95)}, longest ${ms(Math.max(...alone))}`,
      how,
    ],
  };
}
