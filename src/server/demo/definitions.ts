import { setMapping, uploadDbc } from '#server/definitions/change-definition.ts';
import { definitionIdOf } from '#server/definitions/definitions.store.ts';
import type { Pool, Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { type DemoMachine, demoMachines } from '#shared/demo/fleet.ts';
import { J1939_DEMO_MACHINE } from '#shared/demo/kipstra-j1939.ts';
import { machineDefinition } from '#shared/demo/machine-definition.ts';

const ACTOR = 'demo';

/**
 * Returns the id of the definition that is copied for a machine's logger: the machine's own definition, otherwise that of its
 * reference machine. Undefined if the machine once had a definition that was deleted.
 */
export async function definitionIdToCopy(
  client: Transaction,
  machine: DemoMachine,
  streamId: number,
): Promise<number | undefined> {
  const own = await definitionIdOf(client, streamId);
  if (own !== undefined) return own;
  const { rowCount } = await client.query('select from definition where stream_id = $1 limit 1', [streamId]);
  const reference = await findStream(client, referenceOf(machine).serialNumber);
  return rowCount || reference === undefined ? undefined : definitionIdOf(client, reference);
}

/** Returns the machine whose data definition applies: the first of the same model, or the machine itself if it has a bus of its own. */
function referenceOf(machine: DemoMachine): DemoMachine {
  if (isSpecial(machine)) return machine;
  return demoMachines.find((one) => one.model === machine.model && !isSpecial(one)) ?? machine;
}

const isSpecial = ({ serialNumber }: DemoMachine): boolean =>
  serialNumber === J1939_DEMO_MACHINE.serialNumber;

/**
 * Uploads the DBC files of the first machine of each model and maps their signals, as an administrator does. Runs once per
 * machine, so that later changes stay; the next start of the demo completes an interrupted run.
 */
export async function addDefinitions(pool: Pool): Promise<void> {
  const references = demoMachines.filter((machine) => referenceOf(machine) === machine);
  const { rows } = await pool.query<{ serial: string }>(
    `select serial from stream s where serial = any ($1) and deleted_at is null and not exists (
       select from audit a where a.subject = s.serial and a.action = 'dbc.mapping' and a.at >= s.created_at
     )`,
    [references.map(({ serialNumber }) => serialNumber)],
  );
  const unmapped = new Set(rows.map(({ serial }) => serial));
  for (const machine of references.filter(({ serialNumber }) => unmapped.has(serialNumber))) {
    const { serialNumber: serial } = machine;
    const { buses, mapping } = machineDefinition(machine);
    for (const { bus, bitrate, name, dbc } of buses) {
      const file = `data:application/octet-stream;base64,${Buffer.from(dbc).toString('base64')}`;
      await uploadDbc(pool, ACTOR, { serial, name, file, bus, bitrate });
    }
    await setMapping(pool, ACTOR, { serial, mapping });
  }
}
