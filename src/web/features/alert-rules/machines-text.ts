import { useQuery } from '@tanstack/react-query';
import type { AlertRule } from '#shared/contract/alerts.ts';
import { machinesOfRuleText } from '#shared/domain/alerts/rule-sentence.ts';
import { useFleet } from '#web/live/live.ts';
import { useLabels } from '#web/machines/labels.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { readQuery } from '#web/queries/read.ts';

/** Returns a function that describes a rule's machines by the present names of the chosen machines, labels, projects or terreinen. */
export function useMachinesText(): (machines: AlertRule['machines']) => string {
  const { labels } = useLabels();
  const projects = useQuery(readQuery('GET /api/project/get')).data;
  const terreinen = useTerreinen().data;
  const fleet = useFleet();
  return (machines) => {
    if (machines.by === 'labels')
      return machinesOfRuleText(
        'labels',
        namesOf(machines.ids, labels, ({ labelName }) => labelName),
      );
    if (machines.by === 'projects')
      return machinesOfRuleText(
        'projects',
        namesOf(machines.ids, projects, ({ projectName }) => projectName),
      );
    if (machines.by === 'terreinen')
      return machinesOfRuleText(
        'terreinen',
        namesOf(machines.ids, terreinen, ({ terreinName }) => terreinName),
      );
    if (machines.by === 'all') return machinesOfRuleText('all', []);
    const aliases = new Map(fleet.map(({ metadata }) => [metadata.serialNumber, metadata.alias]));
    return machinesOfRuleText(
      'chosen',
      machines.serials.map((serial) => aliases.get(serial) ?? serial),
    );
  };
}

/** Returns the names of the chosen ids; undefined while no name is loaded. */
function namesOf<Of extends { readonly _id: number }>(
  ids: readonly number[],
  all: readonly Of[] | undefined,
  nameOf: (one: Of) => string,
): readonly string[] | undefined {
  const names = ids.flatMap((id) => all?.filter(({ _id }) => _id === id).map(nameOf) ?? []);
  return ids.length > 0 && names.length === 0 ? undefined : names;
}
