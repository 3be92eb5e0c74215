import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { MaintenanceTemplate, TemplatePreview } from '#shared/contract/maintenance-templates.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './maintenance-page.module.css';

type ApplyDialogProps = {
  readonly template: MaintenanceTemplate;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

type Machine = TemplatePreview['machines'][number];

/** Dialog that shows which machines get which tasks of a template, and applies the template. */
export function ApplyDialog({ template, onSaved, onClose }: ApplyDialogProps): ReactNode {
  const preview = useQuery({
    ...readQuery('GET /api/maintenance/template/preview', { query: { _id: template._id } }),
    gcTime: 0,
  });
  return (
    <Dialog title={`Pas toe: ${template.brand} ${template.model}`} isWide onClose={onClose}>
      <DialogBody>
        <RetryAlert query={preview} fallback="De machines zijn niet geladen." />
        {!preview.data && !preview.error && <p role="status">De machines worden geladen</p>}
        {preview.data && <Choice _id={template._id} machines={preview.data.machines} onSaved={onSaved} />}
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

type ChoiceProps = {
  readonly _id: number;
  readonly machines: readonly Machine[];
  readonly onSaved: (message: string) => void;
};

function Choice({ _id, machines, onSaved }: ChoiceProps): ReactNode {
  const given = machines.filter(({ gets }) => gets.length > 0);
  const rest = machines.length - given.length;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = given.filter(({ serial }) => !left.has(serial));
  const { mutate, isPending, error } = useChange('POST /api/maintenance/template/apply');
  const apply = (): void =>
    mutate(
      { body: { _id, serials: chosen.map(({ serial }) => serial) } },
      { onSuccess: ({ message }) => onSaved(message) },
    );
  if (given.length === 0) return <p>Alle machines van dit model hebben de taken al.</p>;
  return (
    <>
      <p>
        De eerste keer telt vanaf vandaag en de urenstand van nu. Is iets eerder gedaan, noteer dat daarna op
        de machine. Wat een machine al heeft, blijft zoals het is.
      </p>
      <ul className={`${styles.preview} stack gap-1 scroll`} aria-label="Machines">
        {given.map((machine) => (
          <li key={machine.serial}>
            <TickBox
              label={`${machine.alias} (${machine.serial}): ${getsText(machine)}`}
              checked={!left.has(machine.serial)}
              onChange={({ currentTarget: { checked } }) => {
                const next = new Set(left);
                if (checked) next.delete(machine.serial);
                else next.add(machine.serial);
                setLeft(next);
              }}
            />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="quiet small tight">
          {formatNumber(rest)} {rest === 1 ? 'machine krijgt' : 'machines krijgen'} niets: alles staat er al
          op, of er is geen plaats.
        </p>
      )}
      <FailureAlert>
        {error ? failureText(error, 'Het sjabloon is niet toegepast. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <BusyButton
        fullWidth
        isBusy={isPending}
        disabled={chosen.length === 0}
        onClick={() => isPending || apply()}
      >
        Pas toe op {formatNumber(chosen.length)} {chosen.length === 1 ? 'machine' : 'machines'}
      </BusyButton>
    </>
  );
}

function getsText({ gets, has, full }: Machine): string {
  return [
    gets.join(', '),
    ...(has.length > 0 ? [`heeft al ${has.join(', ')}`] : []),
    ...(full.length > 0 ? [`geen plaats voor ${full.join(', ')}`] : []),
  ].join('; ');
}
