import { useState } from 'react';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import type { NamedLogger } from '#web/machines/creation-chain.ts';
import { loggerElsewhere } from '#web/machines/move-logger.tsx';
import { useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { LoggerFields } from './logger-fields.tsx';

type ReplaceLoggerProps = {
  readonly serial: string;
  /** Serial number of the logger that is replaced. */
  readonly loggerId: string;
  /** Kind of the replaced logger. */
  readonly kind: LoggerKind;
  readonly onReplaced: (message: string) => void;
  readonly onClose: () => void;
};

/** Dialog that replaces the present logger. A logger that reports for another machine needs a second confirmation. */
export function ReplaceLogger({ serial, loggerId, kind, onReplaced, onClose }: ReplaceLoggerProps) {
  const send = useSendChange();
  const [typed, setTyped] = useState<NamedLogger>({ kind, serial: '' });
  const number = typed.serial.trim();
  const [from, setFrom] = useState<string>();
  const replace = async (): Promise<void> => {
    try {
      const body = {
        serial,
        influx_serial: number,
        logger_kind: typed.kind,
        replaces: loggerId,
        ...(from !== undefined && { from }),
      };
      onReplaced((await send('POST /api/machine/writer/replace', { body })).message);
    } catch (error) {
      const elsewhere = loggerElsewhere(error, number);
      setFrom(elsewhere?.at);
      throw elsewhere ? new Error('The logger reports for another machine.') : error;
    }
  };
  return (
    <ConfirmDialog
      question={`Wil je logger ${loggerId} vervangen`}
      kind="change"
      onYes={replace}
      onClose={onClose}
      fallback={
        from === undefined
          ? 'De logger is niet vervangen. Probeer het opnieuw.'
          : `Logger ${number} meet nu voor ${from}; wat hij daar mat, blijft daar. Kies nog eens Ja om hem hierheen te verplaatsen: ook zijn sleutel vervalt dan.`
      }
    >
      <div className="stack">
        <LoggerFields
          typed={typed}
          onChange={(changed) => {
            setTyped(changed);
            setFrom(undefined);
          }}
          name="influx_serial"
          which="van de nieuwe logger"
          isFirst
        />
        <p>
          De sleutel van logger <strong>{loggerId}</strong> wordt vanaf nu geweigerd. Wat hij al stuurde,
          blijft bij {serial}. De nieuwe logger krijgt een kopie van de datadefinitie en heeft een eigen
          configuratie nodig.
        </p>
        <p>Je kunt dit 30 dagen lang terugzetten, met de sleutel die de logger heeft.</p>
      </div>
    </ConfirmDialog>
  );
}
