import { LRUCache } from 'lru-cache';
import type { Database } from '#server/platform/database.ts';
import { DefinitionError, definitionThread } from './definition-thread.ts';
import { definitionIdOf, readDefinition } from './definitions.store.ts';

/** Units of signals, by the names under which the signals are stored. */
export type StoredUnits = Readonly<Record<string, string>>;

/** Maximum number of definitions whose units are cached. A cached entry never becomes outdated, because a definition never changes. */
const MAX_CACHED_DEFINITIONS = 500;

/** Returns a function that gives the units of a stream's present definition; {} if it has none or an unreadable one. */
export function openStoredUnits(db: Database): (streamId: number) => Promise<StoredUnits> {
  const known = new LRUCache<number, StoredUnits>({ max: MAX_CACHED_DEFINITIONS });
  return async (streamId) => {
    const definitionId = await definitionIdOf(db, streamId);
    if (definitionId === undefined) return {};
    const units = known.get(definitionId) ?? (await readUnits(db, definitionId));
    known.set(definitionId, units);
    return units;
  };
}

async function readUnits(db: Database, definitionId: number): Promise<StoredUnits> {
  const definition = await readDefinition(db, definitionId);
  try {
    return await definitionThread.run('units', { definition });
  } catch (error) {
    if (error instanceof DefinitionError) return {};
    throw error;
  }
}
