import { expect, test } from 'vitest';
import { openHashQueue } from './hash-queue.ts';

/** Lets pending promises settle. */
const soon = () => new Promise((later) => setImmediate(later));

/** Returns a queue and its clock. `end` ends the running hash, and returns the name of the hash that the queue starts next. */
function desk(most = 1) {
  const clock = { now: 1 };
  const queue = openHashQueue(most, () => clock.now);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    clock,
    ask: (name: string, what = name, isKnown = false, isGone = (): boolean => false) =>
      queue.run({ name, isKnown, isGone }, async () => {
        begun.push(what);
        await new Promise<void>((end) => ends.set(what, end));
        return what;
      }),
    async end() {
      await soon();
      clock.now += 15;
      ends.get(begun.at(-1) as string)?.();
      await soon();
      return begun.at(-1);
    },
  };
}
const outcome = (asked: Promise<string>): Promise<string> =>
  asked.then(
    (text) => text,
    (error: Error) => error.message,
  );

test('the queue of password hashes runs at most the given number of hashes at the same time (13.7d)', async () => {
  const { begun, ask } = desk(2);
  for (const name of ['a', 'b', 'c']) void ask(name);
  await soon();
  expect(begun).toEqual(['a', 'b']);
});

test('the queue of password hashes serves a single sign-in before the many requests of a guesser, and serves guessers alternately (13.7d)', async () => {
  const { begun, ask, end } = desk();
  for (let n = 0; n < 5; n++) for (const name of ['evil', 'bad']) void ask(name, `${name} ${n}`);
  await end();
  await end();
  void ask('somebody');
  expect(await end()).toBe('somebody');
  for (let n = 0; n < 4; n++) await end();
  expect(begun).toEqual([...['evil 0', 'bad 0', 'evil 1', 'somebody', 'bad 1', 'evil 2', 'bad 2', 'evil 3']]);
});

test('the queue of password hashes serves a known browser before guesses of which each comes from a new address (13.7d)', async () => {
  const { ask, end } = desk();
  for (let n = 0; n < 50; n++) void outcome(ask(`address ${n}`));
  void ask('of somebody', 'known', true);
  expect(await end()).toBe('known');
  // The browser was served a moment ago, so clients that were not served yet come first.
  void ask('of somebody', 'known again', true);
  expect(await end()).toBe('address 1');
});

test('the queue of password hashes gives a client priority again after a minute without a hash (13.7d)', async () => {
  const { ask, end, clock } = desk();
  void ask('somebody', 'once', true);
  clock.now += 60_000;
  for (const name of ['a', 'b']) void ask(name);
  void ask('somebody', 'twice', true);
  expect(await end()).toBe('twice');
});

test('the queue of password hashes refuses a fifty-first request of one address, a wait of more than ten seconds, and a disconnected client (13.7d)', async () => {
  const { begun, ask, end, clock } = desk();
  const asked = Array.from({ length: 52 }, (_, n) => outcome(ask('evil', `evil ${n}`)));
  expect(await asked.at(-1)).toBe('Te veel aanmeldingen tegelijk. Probeer het zo weer.');
  void outcome(ask('gone', 'gone', false, () => true));
  await end();
  expect(begun).toEqual(['evil 0', 'evil 1']);
  clock.now += 10_000;
  await end();
  expect(await asked[5]).toBe('Er melden zich nu erg veel mensen aan. Probeer het zo weer.');
  const later = ask('somebody');
  await end();
  await end();
  expect(await later).toBe('somebody');
});
