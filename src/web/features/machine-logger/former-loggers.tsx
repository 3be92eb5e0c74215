import { Button } from '@mantine/core';
import { useState } from 'react';
import type { FormerLogger } from '#shared/contract/writers.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { useChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

type FormerLoggersProps = {
  readonly serial: string;
  readonly loggers: readonly FormerLogger[];
  /** Serial number of the present logger; '' for none. */
  readonly present: string;
};

/** Panel that lists the loggers released or replaced in the last 30 days, each with a button that restores it. */
export function FormerLoggers({ serial, loggers, present }: FormerLoggersProps) {
  const { mutateAsync: restore } = useChange('POST /api/machine/writer/take-back');
  const [chosen, setChosen] = useState<FormerLogger>();
  const [note, setNote] = useState<string>();
  if (loggers.length === 0 && note === undefined) return null;
  return (
    <Panel title="Eerdere koppelingen">
      <Notice>{note}</Notice>
      <ul className="stack">
        {loggers.map((logger) => (
          <li className="stack gap-0 wrap" key={logger.id}>
            <strong>Logger {logger.loggerSerial}</strong>
            <span className="quiet small">
              Tot {dateAndTime(Date.parse(logger.endedAt))}.{' '}
              {logger.obstacle ?? `Terugzetten kan tot ${dateAndTime(Date.parse(logger.until))}.`}
            </span>
            {logger.obstacle === undefined && (
              <Button
                className="self-start mt-1"
                variant="default"
                size="md"
                onClick={() => setChosen(logger)}
              >
                Zet logger {logger.loggerSerial} terug
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && (
        <ConfirmDialog
          question={`Wil je logger ${chosen.loggerSerial} terugzetten`}
          kind="change"
          onYes={async () => setNote((await restore({ body: { serial, id: chosen.id } })).message)}
          onClose={() => setChosen(undefined)}
          fallback="De logger is niet teruggezet. Probeer het opnieuw."
        >
          <p>Hij meldt zich weer met de sleutel die hij had. Wat hij intussen mat, hoort bij {serial}.</p>
          {present !== '' && (
            <p>Logger {present} wordt losgekoppeld: zijn sleutel wordt vanaf nu geweigerd.</p>
          )}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
