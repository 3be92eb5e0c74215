import { useState } from 'react';
import { loggerElsewhere } from '#web/machines/move-logger.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { useReplaceLogger } from './logger-calls.ts';
import styles from './logger-panel.module.css';

type ReplaceLoggerProps = {
  readonly serial: string;
  /** Serial number of the logger that is replaced. */
  readonly loggerId: string;
  readonly onReplaced: (message: string) => void;
  readonly onClose: () => void;
};

/** Asks which logger comes in place of the present one. A logger that reports for something else is asked about once more. */
export function ReplaceLogger({ serial, loggerId, onReplaced, onClose }: ReplaceLoggerProps) {
  const { mutateAsync: replace } = useReplaceLogger(serial);
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useState<string>();
  const send = async (): Promise<void> => {
    try {
      const sent = { influx_serial: typed.trim(), replaces: loggerId, ...(from !== undefined && { from }) };
      onReplaced((await replace(sent)).message);
    } catch (error) {
      const elsewhere = loggerElsewhere(error, typed);
      setFrom(elsewhere?.at);
      throw elsewhere ? new Error('The logger reports for something else.') : error;
    }
  };
  return (
    <ConfirmDialog
      question={`Wil je logger ${loggerId} vervangen`}
      kind="change"
      onYes={send}
      onClose={onClose}
      fallback={
        from === undefined
          ? 'De logger is niet vervangen. Probeer het opnieuw.'
          : `Logger ${typed.trim()} meet nu voor ${from}; wat hij daar mat, blijft daar. Kies nog eens Ja om hem hierheen te verplaatsen: ook zijn sleutel vervalt dan.`
      }
    >
      <div className={styles.asked}>
        <FormInput
          label="Serienummer van de nieuwe logger"
          name="influx_serial"
          description="7 cijfers, op de logger"
          inputMode="numeric"
          autoComplete="off"
          maxLength={16}
          data-first
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setFrom(undefined);
          }}
        />
        <p>
          De sleutel van logger <strong>{loggerId}</strong> wordt vanaf nu geweigerd. Wat hij al stuurde,
          blijft bij {serial}. De nieuwe logger krijgt een kopie van de datadefinitie en heeft een eigen
          configuratiebestand nodig.
        </p>
        <p>Je kunt dit 30 dagen lang terugzetten, met de sleutel die de logger heeft.</p>
      </div>
    </ConfirmDialog>
  );
}
