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
/** Pairs with the reference, which takes seconds, after one that warms up; and, for p95, questions of ours alone. */
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
    // Both sides of a pair ask of the same machine, turn about first: the second one finds its pages in memory.
    let asked = 0;
    const next = () => Math.floor(asked++ / 2) % MACHINES;
    const [, ...pairs] = await inPairs(
      PAIRS + 1,
      () => asks(next()),
      () => timed(() => raw(client, streams[next()] as number)),
    );
    for (const { ours, reference } of pairs)
      question.check(JSON.parse(ours.answer as string), reference.answer);
    const askAll = async (): Promise<number[]> => {
      const ms: number[] = [];
      for (let n = 0; n < ALONE; n++) ms.push((await asks(PAIRS + 1 + n)).ms);
      return ms;
    };
    // The raw rows of the pairs, which nobody reads in the portal, have emptied the database's memory.
    const first = await askAll();
    rows.push(rowOf(question, pairs, { first, again: await askAll() }, range.how));
    place.say(`${question.what}: ${rows.at(-1)?.measured}`);
  }
  return rows;
};

/** ms */
type Alone = { readonly first: readonly number[]; readonly again: readonly number[] };
type Timed = { readonly ms: number; readonly answer: unknown };

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const began = performance.now();
  const answer = await work();
  return { ms: performance.now() - began, answer };
}

function rowOf(
  { what, most, most95 }: Asked,
  pairs: readonly Pair<Timed>[],
  { first, again }: Alone,
  how: string,
): Row {
  const ours95 = percentile(again, 0.95);
  const reference = median(pairs.map((pair) => pair.reference.ms));
  // Times, not rates: less is better.
  const ratio = median(pairs.map(({ ours, reference: other }) => ours.ms / other.ms));
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const timesOf = (all: readonly number[]) =>
    `median ${ms(median(all))}, p95 ${ms(percentile(all, 0.95))}, longest ${ms(Math.max(...all))}`;
  const longest95 = most95 === undefined ? undefined : most95 * reference;
  const reach = [
    ...(most === undefined ? [] : [`<= ${most} x`]),
    ...(longest95 === undefined ? [] : [`p95 <= ${most95} x: ${ms(longest95)}`]),
  ];
  return {
    what: `${what}, ${MACHINES} machines x ${DAYS} days at 0.1 Hz`,
    measured: `${ms(median(again))}, p95 ${ms(ours95)}`,
    reference: `${ms(reference)} raw rows`,
    ratio,
    reach: reach.join(', '),
    reached: (most === undefined || ratio <= most) && (longest95 === undefined || ours95 <= longest95),
    notes: [
      `pairs, ms: ${pairs.map(({ ours, reference }) => `${ours.ms.toFixed(1)}/${reference.ms.toFixed(1)}`).join('  ')}`,
      `${ALONE} alone, after the raw rows: ${timesOf(first)}; and again, which is the row: ${timesOf(again)}`,
      how,
    ],
  };
}
