import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccessLimitInput, AccessLimitView } from '#shared/contract/limits.ts';
import {
  ADMIN_ORGANIZATION,
  LIMITED_ROLES,
  ROLES_WITH_TODAY_LIMIT,
  type Role,
} from '#shared/domain/access.ts';
import { userAccessLimitText } from '#shared/domain/limit-text.ts';
import { readQuery } from '#web/queries/read.ts';
import { PickList } from '#web/ui/pick-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

type LimitFieldsProps = {
  /** The organization's functional name: its name in calls and addresses. */
  readonly organization: string;
  readonly role: Role;
  readonly value: AccessLimitInput;
  readonly onChange: (limit: AccessLimitInput) => void;
};

/** Returns whether an account with this role in this organization can be limited to some machines or to the present day. */
export const canHaveLimit = (organization: string, role: Role): boolean =>
  organization !== ADMIN_ORGANIZATION && LIMITED_ROLES.includes(role);

/** Returns the limit without the parts that are impossible for the role; null if none remains. */
export const accessLimitForRole = (role: Role, limit: AccessLimitInput): AccessLimitInput => {
  if (limit === null || !LIMITED_ROLES.includes(role)) return null;
  const { machines } = limit;
  const onlyToday = limit.onlyToday && ROLES_WITH_TODAY_LIMIT.includes(role);
  return machines === null && !onlyToday ? null : { machines, onlyToday };
};

/** Returns a limit in the format of the calls, without projects that have ended. */
export const limitInputOf = (limit: AccessLimitView): AccessLimitInput =>
  limit && {
    machines: limit.machines && {
      projects: limit.machines.projects.filter(({ isOver }) => !isOver).map(({ _id }) => _id),
      labels: limit.machines.labels.map(({ _id }) => _id),
    },
    onlyToday: limit.onlyToday,
  };

/** Returns "beperkt tot project ‘Sluis’", without projects that have ended. */
export const activeAccessLimitText = (limit: NonNullable<AccessLimitView>): string =>
  userAccessLimitText({
    machines: limit.machines && {
      projects: limit.machines.projects.filter(({ isOver }) => !isOver).map(({ projectName }) => projectName),
      labels: limit.machines.labels.map(({ labelName }) => labelName),
    },
    onlyToday: limit.onlyToday,
  });

/** Inputs for a limit: only machines of some projects and labels, and for a kijker (viewer) only the present day. */
export function LimitFields({ organization, role, value, onChange }: LimitFieldsProps): ReactNode {
  const { projects, labels } = useChoices(organization);
  const machines = value?.machines ?? null;
  const onlyToday = value?.onlyToday ?? false;
  const set = (changed: Partial<NonNullable<AccessLimitInput>>): void =>
    onChange({ machines, onlyToday, ...changed });
  return (
    <div className="stack">
      <TickBox
        label="Ziet alleen machines van projecten of labels"
        checked={machines !== null}
        onChange={({ currentTarget: { checked } }) =>
          set({ machines: checked ? { projects: [], labels: [] } : null })
        }
      />
      {machines && (
        <>
          <PickList
            label="Beperkt tot projecten"
            none="Kies projecten"
            options={projects}
            chosen={machines.projects.map(String)}
            onChange={(chosen) => set({ machines: { ...machines, projects: chosen.map(Number) } })}
          />
          <PickList
            label="Beperkt tot labels"
            none="Kies labels"
            options={labels}
            chosen={machines.labels.map(String)}
            onChange={(chosen) => set({ machines: { ...machines, labels: chosen.map(Number) } })}
          />
          <p className="quiet small">
            Van een project: de machines die er nu zijn, en alleen de tijd dat ze er waren. Van een label: de
            machines die het nu dragen, met hun geschiedenis.
          </p>
        </>
      )}
      {ROLES_WITH_TODAY_LIMIT.includes(role) && (
        <TickBox
          label="Alleen vandaag"
          checked={onlyToday}
          onChange={({ currentTarget: { checked } }) => set({ onlyToday: checked })}
        />
      )}
    </div>
  );
}

/** Returns the projects and labels of an organization as options. */
function useChoices(organization: string) {
  const { data: projects = [] } = useQuery(readQuery('GET /api/project/get'));
  const { data: labels } = useQuery(readQuery('GET /api/label/get'));
  const option = (_id: number, name: string) => ({ value: String(_id), label: name, words: name });
  return {
    projects: projects
      .filter((one) => one.organization === organization)
      .map(({ _id, projectName }) => option(_id, projectName)),
    labels: (labels?.labels ?? [])
      .filter((one) => one.organization === organization)
      .map(({ _id, labelName }) => option(_id, labelName)),
  };
}
