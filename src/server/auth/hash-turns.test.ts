import { expect, test } from 'vitest';
import { openHashTurns } from './hash-turns.ts';

/** What is promised already has happened then. */
const soon = () => new Promise((later) => setImmediate(later));

/** Hashes that end when they are told to, in the order in which they began; and a clock that is set by hand. */
function desk(most = 1) {
  const clock = { now: 1 };
  const turns = openHashTurns(most, () => clock.now);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    clock,
    ask: (name: string, what = name, isKnown = false, isGone = (): boolean => false) =>
      turns.take({ name, isKnown, isGone }, async () => {
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

test('13.7d no more hashes at once than are meant to be', async () => {
  const { begun, ask } = desk(2);
  for (const name of ['a', 'b', 'c']) void ask(name);
  await soon();
  expect(begun).toEqual(['a', 'b']);
});

test('13.7d one sign-in is not behind the many of a guesser, and guessers take turns', async () => {
  const { begun, ask, end } = desk();
  for (let n = 0; n < 5; n++) for (const name of ['evil', 'bad']) void ask(name, `${name} ${n}`);
  await end();
  await end();
  void ask('somebody');
  expect(await end()).toBe('somebody');
  for (let n = 0; n < 4; n++) await end();
  expect(begun).toEqual([...['evil 0', 'bad 0', 'evil 1', 'somebody', 'bad 1', 'evil 2', 'bad 2', 'evil 3']]);
});

test('13.7d a known browser is not behind guesses from a new address each', async () => {
  const { ask, end } = desk();
  for (let n = 0; n < 50; n++) void outcome(ask(`address ${n}`));
  void ask('of somebody', 'known', true);
  expect(await end()).toBe('known');
  // Nor is it once more after a minute; with others that had a turn a moment ago it takes turns.
  void ask('of somebody', 'known again', true);
  expect(await end()).toBe('address 1');
});

test('13.7d who had a turn a minute ago is new again', async () => {
  const { ask, end, clock } = desk();
  void ask('somebody', 'once', true);
  clock.now += 60_000;
  for (const name of ['a', 'b']) void ask(name);
  void ask('somebody', 'twice', true);
  expect(await end()).toBe('twice');
});

test('13.7d one address has fifty waiting, nobody waits more than ten seconds, and who left has no turn', async () => {
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
