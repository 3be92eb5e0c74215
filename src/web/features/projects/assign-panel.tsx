import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Project } from '#shared/contract/projects.ts';
import { amsterdamInstant, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { useFleet } from '#web/live/live.ts';
import { useChange, useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DayInput } from '#web/ui/day-input.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormSelect } from '#web/ui/form-input.tsx';
import { Panel } from '#web/ui/panel.tsx';
import type { Assignment, MachineAction } from './machine-action-dialog.tsx';
import { assignmentTimesText } from './project-text.ts';

type AssignPanelProps = {
  readonly project: Project;
  readonly assignments: readonly Assignment[];
  readonly aliasOf: (serial: string) => string;
  readonly mayManage: boolean;
  readonly onNote: (note: string) => void;
  readonly onAction: (action: MachineAction) => void;
};

/** Lists machines that a user assigned to the project by hand; these are on the project wherever they are. */
export function AssignPanel({
  project,
  assignments,
  aliasOf,
  mayManage,
  onNote,
  onAction,
}: AssignPanelProps): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Assignment>();
  const { mutateAsync: unassign } = useChange('POST /api/project/unassign');
  if (!mayManage && assignments.length === 0) return null;
  return (
    <Panel
      title="Met de hand"
      action={
        mayManage && (
          <Button variant="default" size="md" onClick={() => setAdding(true)}>
            Voeg machine toe
          </Button>
        )
      }
    >
      {assignments.length === 0 ? (
        <p className="quiet">
          Machines staan op het project door hun positie. Een machine zonder positie, in een tunnel of een
          loods, zet je er met de hand op.
        </p>
      ) : (
        <ul className="rows" aria-label="Met de hand">
          {assignments.map((assignment) => (
            <li key={assignment.assignment}>
              <span>
                <strong>{aliasOf(assignment.serial)}</strong>
                <span className="quiet small block">{assignmentTimesText(assignment)}</span>
              </span>
              {mayManage && (
                <div className="cluster">
                  <Button
                    variant="subtle"
                    size="md"
                    aria-label={`Wijzig begin en eind van ${aliasOf(assignment.serial)}`}
                    onClick={() => onAction({ kind: 'change', assignment })}
                  >
                    Wijzig begin en eind
                  </Button>
                  <DeleteButton
                    of={`${aliasOf(assignment.serial)} van het project`}
                    look="icon"
                    onClick={() => setAsked(assignment)}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <AssignDialog
          project={project}
          onDone={(message) => {
            setAdding(false);
            onNote(message);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {asked && (
        <ConfirmDialog
          question="Weet je zeker dat je deze toewijzing wilt verwijderen"
          onYes={async () => onNote((await unassign({ body: { assignment: asked.assignment } })).message)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <strong>{aliasOf(asked.serial)}</strong>, {assignmentTimesText(asked)}
          </p>
          <p>De machine staat in die tijd dan waar haar posities zeggen.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type AssignDialogProps = {
  readonly project: Project;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
};

function AssignDialog({ project, onDone, onClose }: AssignDialogProps): ReactNode {
  const send = useSendChange();
  const machines = useFleet().filter(
    ({ metadata }) => metadata.organization === project.organization && metadata.kind === 'machine',
  );
  const assign = async (fields: FormData): Promise<void> => {
    const time = (name: string, which: 'first' | 'last'): string | null => {
      const ms = amsterdamInstant(String(fields.get(name)), which);
      return ms === undefined ? null : new Date(ms).toISOString();
    };
    const body = {
      _id: project._id,
      serial: String(fields.get('serial')),
      from: time('from', 'first') ?? '',
      until: time('until', 'last'),
    };
    onDone((await send('POST /api/project/assign', { body })).message);
  };
  return (
    <Dialog title="Zet een machine op het project" onClose={onClose}>
      <DialogBody>
        <Form
          submit="Zet op het project"
          onCancel={onClose}
          fallback="De machine is niet op het project gezet. Probeer het opnieuw."
          onSubmit={assign}
        >
          <FormSelect label="Machine" name="serial" required>
            <option value="">Kies een machine</option>
            {machines.map(({ metadata: { serialNumber, alias } }) => (
              <option key={serialNumber} value={serialNumber}>
                {alias} ({serialNumber})
              </option>
            ))}
          </FormSelect>
          <DayInput
            label="Van"
            name="from"
            withTime
            required
            defaultValue={`${wallClockOf(Date.now()).slice(0, 16)}:00`}
          />
          <DayInput
            label="Tot"
            name="until"
            withTime
            description="Leeg: zolang het project duurt"
            defaultValue=""
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}
