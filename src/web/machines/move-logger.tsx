import { Button } from '@mantine/core';
import { useState } from 'react';
import { kindOfLogger } from '#shared/domain/identifiers.ts';
import { ApiError } from '#web/lib/api.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** A logger that was refused because it reports for another machine or LMB logger. */
export type LoggerElsewhere = {
  readonly loggerSerial: string;
  /** Serial number or loggerid of the machine or LMB logger for which the logger reports. */
  readonly at: string;
};

/** Returns for which machine or LMB logger the logger reports, if the server refused the logger for that reason. */
export function loggerElsewhere(error: unknown, loggerSerial: string): LoggerElsewhere | undefined {
  const errors = error instanceof ApiError ? error.faults : [];
  const at = errors.find((one) => one.at !== undefined)?.at;
  return at === undefined ? undefined : { loggerSerial: loggerSerial.trim(), at };
}

type MoveLoggerProps = {
  readonly logger: LoggerElsewhere;
  /** An additional sentence about the consequences, for the dialog. */
  readonly consequence?: string;
  readonly onMove: (logger: LoggerElsewhere) => Promise<unknown>;
};

/** The button 'Verplaats hierheen', which moves the logger after a dialog that explains the consequences. */
export function MoveLogger({ logger, consequence, onMove }: MoveLoggerProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { loggerSerial, at } = logger;
  return (
    <div className="mt-2">
      <Button variant="default" size="md" onClick={() => setIsAsking(true)}>
        Verplaats hierheen
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={`Wil je logger ${loggerSerial} hierheen verplaatsen`}
          kind="change"
          onYes={() => onMove(logger)}
          onClose={() => setIsAsking(false)}
          fallback="De logger is niet verplaatst. Probeer het opnieuw."
        >
          <p>
            De logger meet nu voor <strong>{at}</strong>. Na het verplaatsen meet hij voor deze machine; wat
            hij eerder mat, blijft bij {at}.
          </p>
          <p>
            Zijn sleutel vervalt:{' '}
            {kindOfLogger(loggerSerial) === 'canedge'
              ? 'zet daarna zijn nieuwe instellingen in de CANedge.'
              : 'laad daarna het nieuwe configuratiebestand in de logger.'}
            {consequence !== undefined && ` ${consequence}`}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
