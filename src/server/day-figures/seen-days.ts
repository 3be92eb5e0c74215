import { withLimited } from '#server/organizations/organizations.store.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** Rows of telemetry.day_figures that a scope sees of a machine. */
export type SeenDays = {
  /** Owners; null: all. */
  readonly organizations: readonly number[] | null;
  /** 0: of the machine, wherever it was; else of these projects. */
  readonly projects: readonly number[];
  /** 'YYYY-MM-DD'; null: from the beginning. */
  readonly firstDay: string | null;
};

/** Returns which rows are seen: a limited person who sees a machine through a project sees what it did on that project. */
export function seenDays(scope: Scope, streamId: number): SeenDays {
  const { limited } = scope;
  const isAnywhere = !limited || limited.machines.get(streamId)?.isAnywhere === true;
  return {
    organizations: withLimited(scope),
    projects: isAnywhere ? [0] : (limited.projects ?? []),
    firstDay: limited?.onlyToday ? amsterdamDay(limited.from) : null,
  };
}
