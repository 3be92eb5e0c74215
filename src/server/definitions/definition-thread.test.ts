import { expect, test } from 'vitest';
import { DefinitionError, definitionThread, openDefinitionThread } from './definition-thread.ts';

const dbc = 'BO_ 1 Bms: 8 X\n SG_ Soc1 : 0|8@1+ (0.5,0) [0|100] "%" X\n';
const bus = { bus: 0, bitrate: 250_000, name: 'bms.dbc', dbc };
const kind = 'machine' as const;
const definition = { buses: [bus], mapping: { signals: [], keep: [] } };

test('the thread that works on data definitions returns the results and errors of each task (12.B5)', async () => {
  const asked = [
    definitionThread.run('upload', { definition: { ...definition, buses: [] }, added: bus, kind }),
    definitionThread.run('delete', { definition, bus: 3, kind }),
    definitionThread.run('upload', { definition, added: { ...bus, dbc: 'BO_ 1 Bms: 8 X\n SG_ x' }, kind }),
    definitionThread.run('targets', { definition: { ...definition, buses: [{ ...bus, dbc: 'x' }] } }),
    definitionThread.run('view', { version: 7, definition, kind }),
  ];
  const outcomes = await Promise.allSettled(asked);
  const soc = { bus: 0, message: 'Bms', signal: 'Soc1', to: 'Soc1' };
  expect(outcomes).toMatchObject([
    { value: { definition: { buses: [bus], mapping: { signals: [soc], keep: [] } } } },
    { reason: { code: 'not_found', message: 'Bus can3 heeft geen DBC-bestand.' } },
    { reason: { code: 'invalid', message: expect.stringMatching(/^bms\.dbc, regel 2: .+\.$/) } },
    {
      reason: {
        name: 'DefinitionError',
        kind: 'unreadable',
        message: expect.stringMatching(/regel 1: geen/),
      },
    },
    { value: { version: 7, buses: [{ messages: [{ identifier: '0x001' }] }] } },
  ]);
});

test('a task of the definition thread that takes too long is rejected with a message, and so is the next one (12.B5)', async () => {
  // The start of the thread alone takes longer than 1 ms.
  const thread = openDefinitionThread({ longestMs: 1 });
  const asked = [thread.run('targets', { definition }), thread.run('targets', { definition })];
  for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
    expect(reason).toBeInstanceOf(DefinitionError);
    expect(reason).toMatchObject({
      kind: 'too long',
      message: 'Het lezen van de DBC-bestanden duurt te lang.',
    });
  }
});

test('a task of the definition thread that needs more memory than the thread may have is rejected with a message (12.B5)', async () => {
  const thread = openDefinitionThread({ longestMs: 20_000, mostMemoryMib: 32 });
  const signals = Array.from({ length: 60_000 }, (_, n) => ` SG_ S${n} : 0|8@1+ (1,0) [0|0] "" X\n`);
  const large = { ...definition, buses: [{ ...bus, dbc: `${dbc}${signals.join('')}` }] };
  await expect(thread.run('targets', { definition: large })).rejects.toMatchObject({
    name: 'DefinitionError',
    kind: 'too large',
    message: 'Het lezen van de DBC-bestanden vraagt te veel geheugen.',
  });
});
