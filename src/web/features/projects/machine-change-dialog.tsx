import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ProjectMove } from '#shared/contract/projects.ts';
import { amsterdamInstant } from '#shared/domain/amsterdam-time.ts';
import { movedHoursText } from '#shared/domain/moved-hours.ts';
import { failureText } from '#web/lib/api.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import styles from './machine-change-dialog.module.css';

/** ISO times in UTC; `until` is null for no end. */
export type ChangedTimes = { readonly from: string; readonly until: string | null };

/** Stores the change; with `preview` stores nothing, and returns the machine's hours that would move between projects. */
export type SendChange = (
  times: ChangedTimes,
  preview: boolean,
) => Promise<{ readonly message: string; readonly moves?: readonly ProjectMove[] | undefined }>;

type MachineChangeDialogProps = {
  readonly title: string;
  readonly submit: string;
  /** Explains the change. */
  readonly children: ReactNode;
  readonly machine: string;
  readonly project: string;
  /** Initial value, 'YYYY-MM-DD HH:mm:ss' in Amsterdam. */
  readonly from: string;
  /** Initial value; '' for no end; undefined if the change has no end. */
  readonly until?: string;
  /** Query key of the preview. */
  readonly previewKey: readonly unknown[];
  readonly send: SendChange;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
};

/** Dialog for the begin and end of a change on one machine. Before it is stored, shows which hours would move between projects. */
export function MachineChangeDialog({
  title,
  submit,
  children,
  machine,
  project,
  from: firstFrom,
  until: firstUntil,
  previewKey,
  send,
  onDone,
  onClose,
}: MachineChangeDialogProps): ReactNode {
  const [from, setFrom] = useState(firstFrom);
  const [until, setUntil] = useState(firstUntil ?? '');
  const times = timesOf(from, until);
  const preview = useQuery({
    queryKey: ['project-preview', ...previewKey, times],
    queryFn: () => send(times as ChangedTimes, true),
    enabled: times !== undefined,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody>
        <p className="wrap">
          <strong>{machine}</strong>
        </p>
        {children}
        <Form
          submit={submit}
          onCancel={onClose}
          fallback="Er is niets gewijzigd. Probeer het opnieuw."
          onSubmit={async () => {
            // Enter must not store a change whose preview is still loading.
            if (times && !preview.isFetching) onDone((await send(times, false)).message);
          }}
        >
          <DayInput
            label={firstUntil === undefined ? 'Vanaf' : 'Van'}
            name="from"
            withTime
            required
            value={from}
            onChange={setFrom}
          />
          {firstUntil !== undefined && (
            <DayInput
              label="Tot"
              name="until"
              withTime
              description="Leeg: zolang het project duurt"
              value={until}
              onChange={setUntil}
            />
          )}
          <div role="status" aria-label="Uren die verhuizen" className={`${styles.moves} wrap`}>
            {times === undefined ? (
              <p className="mb-1">Kies een dag en een tijd.</p>
            ) : preview.isFetching ? (
              <p className="mb-1">Uren worden berekend…</p>
            ) : preview.error ? (
              <p className="mb-1">{failureText(preview.error, 'De uren zijn niet berekend.')}</p>
            ) : (
              sentencesOf(preview.data?.moves ?? [], machine, project).map((text) => (
                <p className="mb-1" key={text}>
                  {text}
                </p>
              ))
            )}
          </div>
        </Form>
      </DialogBody>
    </Dialog>
  );
}

const sentencesOf = (moves: readonly ProjectMove[], machine: string, project: string): string[] =>
  movedHoursText(
    moves.map(({ from, to, ...move }) => ({
      ...move,
      from: from?.projectName ?? null,
      to: to?.projectName ?? null,
    })),
    machine,
    project,
  );

/** Converts the typed times to ISO; undefined if one of the texts is no time. */
function timesOf(from: string, until: string): ChangedTimes | undefined {
  const first = amsterdamInstant(from, 'first');
  const last = until === '' ? null : amsterdamInstant(until, 'last');
  if (first === undefined || last === undefined) return undefined;
  return {
    from: new Date(first).toISOString(),
    until: last === null ? null : new Date(last).toISOString(),
  };
}
