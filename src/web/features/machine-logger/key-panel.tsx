import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { ReplaceLogger } from './replace-logger.tsx';

type KeyPanelProps = { readonly serial: string; readonly loggerId: string; readonly kind: LoggerKind };

/** Panel that gives the logger a new key, replaces the logger or releases it. */
export function KeyPanel({ serial, loggerId, kind }: KeyPanelProps) {
  const send = useSendChange();
  const [dialog, setDialog] = useState<'key' | 'replace' | 'release'>();
  const [note, setNote] = useState<string>();
  const [withdraw, setWithdraw] = useState(false);
  const close = (): void => setDialog(undefined);
  const askForKey = (): void => {
    setWithdraw(false);
    setDialog('key');
  };
  return (
    <Panel title="Sleutel en koppeling">
      <Notice>{note}</Notice>
      <p>
        De logger ondertekent alles wat hij stuurt met een sleutel van hemzelf; die staat in{' '}
        {kind === 'canedge' ? 'zijn instellingen' : 'config.xml'}.
      </p>
      <div className="cluster gap-3 stretch">
        <Button variant="default" size="md" onClick={askForKey}>
          Nieuwe sleutel
        </Button>
        <Button variant="default" size="md" onClick={() => setDialog('replace')}>
          Vervang logger
        </Button>
        <Button variant="default" size="md" className="alarming" onClick={() => setDialog('release')}>
          Koppel logger los
        </Button>
      </div>
      {dialog === 'key' && (
        <ConfirmDialog
          question="Wil je de logger een nieuwe sleutel geven"
          kind="change"
          onYes={async () =>
            setNote((await send('POST /api/machine/writer/key', { body: { serial, withdraw } })).message)
          }
          onClose={close}
          fallback="De logger heeft geen nieuwe sleutel. Probeer het opnieuw."
        >
          <div className="stack">
            <p>Maak en laad daarna een nieuwe configuratie.</p>
            <TickBox
              label="De oude sleutel direct intrekken"
              checked={withdraw}
              onChange={({ currentTarget }) => setWithdraw(currentTarget.checked)}
            />
            <p>
              {withdraw
                ? 'Voor een sleutel die is uitgelekt. Wat ermee wordt gestuurd, ook wat nu onderweg is, wordt geweigerd. De logger probeert het telkens opnieuw; het komt pas binnen als de nieuwe configuratie erin zit.'
                : 'De oude sleutel blijft werken tot de eerste upload met de nieuwe.'}
            </p>
          </div>
        </ConfirmDialog>
      )}
      {dialog === 'release' && (
        <ConfirmDialog
          question="Weet je zeker dat je deze logger wilt loskoppelen"
          onYes={() =>
            send('POST /api/machine/writer/release', { body: { serial, influx_serial: loggerId } })
          }
          onClose={close}
          fallback="De logger is niet losgekoppeld. Probeer het opnieuw."
        >
          <p>
            Logger <strong>{loggerId}</strong>: zijn sleutel wordt vanaf nu geweigerd. Wat hij al stuurde
            blijft bij {serial}. Je kunt dit 30 dagen lang terugzetten, met de sleutel die hij heeft.
          </p>
        </ConfirmDialog>
      )}
      {dialog === 'replace' && (
        <ReplaceLogger serial={serial} loggerId={loggerId} kind={kind} onReplaced={setNote} onClose={close} />
      )}
    </Panel>
  );
}
