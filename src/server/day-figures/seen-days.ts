import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** Rows of telemetry.day_figures that a scope may see of a machine. */
export type VisibleDays = {
  /** Only days on which one of these organizations owned the machine; null: all days. */
  readonly organizations: readonly number[] | null;
  /** [0]: the figures of the whole machine; otherwise its figures on these projects. */
  readonly projects: readonly number[];
  /** 'YYYY-MM-DD'; null for no limit. */
  readonly firstDay: string | null;
};

/**
 * Returns which rows a scope may see: a limited person who sees a machine through a project sees its figures on that
 * project.
 */
export function visibleDays(scope: Scope, streamId: number): VisibleDays {
  const { limited } = scope;
  const isAnywhere = !limited || limited.machines.get(streamId)?.isAnywhere === true;
  return {
    organizations: organizationsOfLimitedScope(scope),
    projects: isAnywhere ? [0] : (limited.projects ?? []),
    firstDay: limited?.onlyToday ? amsterdamDay(limited.from) : null,
  };
}
