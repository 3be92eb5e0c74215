import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Project, ProjectPage } from '#shared/contract/projects.ts';
import { nextDay, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { callApi } from '#web/lib/api.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { type ChangedTimes, MachineChangeDialog } from './machine-change-dialog.tsx';

export type Assignment = ProjectPage['assignments'][number];

/** An action on one machine of a project. */
export type MachineAction =
  | { readonly kind: 'take-off' | 'except'; readonly serial: string }
  | { readonly kind: 'change'; readonly assignment: Assignment };

type MachineActionDialogProps = {
  readonly action: MachineAction;
  readonly project: Project;
  readonly aliasOf: (serial: string) => string;
  /** The present day, 'YYYY-MM-DD'. */
  readonly today: string;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
};

/** The dialog for 'Haal van project', 'Uitzonderen' and 'Wijzig begin en eind'. */
export function MachineActionDialog({
  action,
  project,
  aliasOf,
  today,
  onDone,
  onClose,
}: MachineActionDialogProps): ReactNode {
  const client = useQueryClient();
  const { _id } = project;
  const ofMachine = action.kind === 'change' ? action.assignment.serial : action.serial;
  const done = (message: string): void => {
    void refreshQueries(client, 'POST /api/project/except');
    onDone(`${aliasOf(ofMachine)}: ${message}`);
  };
  const common = { project: project.projectName, onDone: done, onClose };
  if (action.kind === 'change') {
    const { assignment, serial, from, until } = action.assignment;
    return (
      <MachineChangeDialog
        {...common}
        title="Wijzig begin en eind"
        submit="Opslaan"
        machine={aliasOf(serial)}
        from={wallClockOf(Date.parse(from))}
        until={until === null ? '' : wallClockOf(Date.parse(until))}
        previewKey={['change', assignment]}
        send={(times, preview) =>
          callApi('POST /api/project/change-assignment', {
            body: { assignment, ...times, seen: { from, until }, preview },
          })
        }
      >
        <p>Van het begin tot het eind staat de machine op het project, wat haar posities ook zeggen.</p>
      </MachineChangeDialog>
    );
  }
  const { kind, serial } = action;
  const first = today < project.firstDay ? project.firstDay : today;
  // Starts tomorrow by default, so that hours of today stay on the project.
  const tomorrow = project.lastDay !== null && project.lastDay <= first ? first : nextDay(first);
  return kind === 'take-off' ? (
    <MachineChangeDialog
      {...common}
      title="Haal van project"
      submit="Haal van project"
      machine={aliasOf(serial)}
      from={`${tomorrow} 00:00:00`}
      previewKey={['take-off', _id, serial]}
      send={({ from }: ChangedTimes, preview) =>
        callApi('POST /api/project/take-off', { body: { _id, serial, from, preview } })
      }
    >
      <p>Vanaf dan staat de machine niet meer op dit project, ook als ze er is. Daarvoor verandert niets.</p>
    </MachineChangeDialog>
  ) : (
    <MachineChangeDialog
      {...common}
      title="Uitzonderen"
      submit="Uitzonderen"
      machine={aliasOf(serial)}
      from={`${first} 00:00:00`}
      until=""
      previewKey={['except', _id, serial]}
      send={(times, preview) =>
        callApi('POST /api/project/except', { body: { _id, serial, ...times, preview } })
      }
    >
      <p>In die tijd telt de positie van deze machine niet voor dit project.</p>
    </MachineChangeDialog>
  );
}
