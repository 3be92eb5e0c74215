import { computeAllOutdatedDays } from '#server/day-figures/compute-days.ts';
import { inTransaction, isRetryable, type Pool, type Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { ProjectMove } from '#shared/contract/projects.ts';
import { movedHours, type ProjectHours } from '#shared/domain/moved-hours.ts';

/** A checked change of one machine's time on a project: machine and project are known, and `apply` makes the change. */
export type MachineChange = {
  readonly streamId: number;
  readonly project: { readonly id: number; readonly organizationId: number };
  /** Stores the change. */
  readonly apply: () => Promise<void>;
};

/** Error that rolls back the transaction of a preview, and carries the moved hours out of it. */
class RolledBack extends Error {
  readonly moves: ProjectMove[];
  constructor(moves: ProjectMove[]) {
    super('The preview is rolled back.');
    this.moves = moves;
  }
}

const MAX_ATTEMPTS = 3;

/**
 * Returns the hours that a change would move, without storing it: makes the change and recomputes the machine's days in a
 * transaction that is rolled back.
 * @throws ProblemError of the change; 409 if the machine's figures are being computed now, or were being computed in each attempt
 */
export async function previewProjectMoves(
  pool: Pool,
  prepare: (client: Transaction) => Promise<MachineChange>,
): Promise<ProjectMove[]> {
  for (let tried = 1; ; tried += 1)
    try {
      await inTransaction(
        pool,
        async (client) => {
          throw new RolledBack(await movesOf(client, await prepare(client)));
        },
        { lockFirst: (client) => client.query('set transaction isolation level repeatable read') },
      );
    } catch (error) {
      if (error instanceof RolledBack) return error.moves;
      // The worker computed the machine's days in the meantime, or a user changed the project.
      if (!isRetryable(error)) throw error;
      if (tried === MAX_ATTEMPTS) throw stillComputing();
    }
}

const stillComputing = (): ProblemError =>
  new ProblemError(
    'conflict',
    'De cijfers van deze machine worden nog berekend. Probeer het over een minuut opnieuw.',
  );

async function movesOf(
  client: Transaction,
  { streamId, project, apply }: MachineChange,
): Promise<ProjectMove[]> {
  const shard = shardForStream(client, streamId);
  await shard.query('select from telemetry.day_cursor where stream_id = $1 for update', [streamId]);
  const { rows: busy } = await shard.query(
    `select from telemetry.latest where stream_id = $1 and recompute_from is not null`,
    [streamId],
  );
  if (busy.length > 0) throw stillComputing();
  await computeAllOutdatedDays(client, streamId);
  const before = await hoursOf(client, streamId, project.organizationId);
  await apply();
  await computeAllOutdatedDays(client, streamId);
  const after = await hoursOf(client, streamId, project.organizationId);
  const moves = movedHours(before, after, project.id);
  const names = await namesOf(client, project.organizationId);
  const named = (id: number | null) => (id === null ? null : { _id: id, projectName: names.get(id) ?? '' });
  return moves.map(({ from, to, ...move }) => ({ ...move, from: named(from), to: named(to) }));
}

async function hoursOf(
  client: Transaction,
  streamId: number,
  organizationId: number,
): Promise<ProjectHours[]> {
  const { rows } = await shardForStream(client, streamId).query<ProjectHours>(
    `select day::text, project_id, running_ms::float8 as running_ms, charging_ms::float8 as charging_ms
     from telemetry.day_figures where stream_id = $1 and organization_id = $2 and project_id <> 0`,
    [streamId, organizationId],
  );
  return rows;
}

async function namesOf(client: Transaction, organizationId: number): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    'select id, name from project where organization_id = $1',
    [organizationId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
