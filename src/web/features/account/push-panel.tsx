import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PushDevice } from '#shared/contract/push.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './account-page.module.css';
import { useEndDevice, usePushDevices, useSwitchPush, useTestPush } from './push-calls.ts';

/** Whether this device is told things, and which others of the person's are (16.5). */
export function PushPanel(): ReactNode {
  const query = usePushDevices();
  const switching = useSwitchPush();
  const ending = useEndDevice();
  const testing = useTestPush();
  const [said, setSaid] = useState<Said>({});
  const isBusy = switching.isPending || ending.isPending || testing.isPending;
  /** One thing at a time, and what came of it in words. */
  const run = <T,>(mutation: Work<T>, what: T, fallback: string, help?: string): void => {
    if (isBusy) return;
    setSaid({});
    mutation.mutate(what, {
      onSuccess: (note) => setSaid({ note, help }),
      onError: (error) => setSaid({ failure: failureText(error, fallback) }),
    });
  };
  const { devices = [], obstacle, onAs } = query.data ?? {};
  return (
    <Panel title="Meldingen op dit apparaat">
      <p className={styles.quiet}>
        Ze komen ook als het portaal niet open staat. Na uitloggen komen ze hier niet meer, na opnieuw
        inloggen weer wel.
      </p>
      <RetryAlert query={query} fallback="De meldingen zijn niet geladen." />
      {obstacle !== undefined && <p>{obstacle}</p>}
      {query.data && obstacle === undefined && (
        <div className={styles.actions}>
          <SwitchButton
            label="Meldingen op dit apparaat"
            isOn={onAs !== undefined}
            texts={['Aan', 'Uit']}
            isCalm
            isBusy={isBusy}
            onSwitch={() => run(switching, onAs, 'De meldingen zijn niet gewijzigd. Probeer het opnieuw.')}
          />
          {onAs !== undefined && (
            <BusyButton
              variant="default"
              isBusy={testing.isPending}
              onClick={() =>
                run(testing, undefined, 'De proefmelding is niet verstuurd. Probeer het opnieuw.', NOT_SEEN)
              }
            >
              Stuur een proefmelding
            </BusyButton>
          )}
        </div>
      )}
      <Notice>{said.note}</Notice>
      {said.help !== undefined && <p className={styles.quiet}>{said.help}</p>}
      <FailureAlert>{said.failure}</FailureAlert>
      {devices.length > 0 && (
        <ul className={styles.rows} aria-label="Apparaten met meldingen">
          {devices.map((device) => (
            <li key={device.id}>
              <DeviceRow
                device={device}
                onEnd={
                  device.id === onAs
                    ? undefined
                    : () => run(ending, device.id, 'De meldingen zijn niet uitgezet. Probeer het opnieuw.')
                }
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type Said = { readonly note?: string; readonly help?: string | undefined; readonly failure?: string };
type Work<T> = {
  mutate(
    what: T,
    then: { readonly onSuccess: (note: string) => void; readonly onError: (error: Error) => void },
  ): void;
};

const NOT_SEEN =
  'Zie je niets? Kijk bij de instellingen van het apparaat of meldingen van deze browser aan staan, en of ‘Niet storen’ uit is.';

type DeviceRowProps = {
  readonly device: PushDevice;
  /** Undefined: the switch above does it. */
  readonly onEnd: (() => void) | undefined;
};

function DeviceRow({
  device: { device, since, lastSent, hasFailed, isOwn },
  onEnd,
}: DeviceRowProps): ReactNode {
  const sinceWhen = dateAndTime(Date.parse(since));
  return (
    <>
      <div>
        <strong>{device}</strong>
        {isOwn && <span className={styles.tag}>Dit apparaat</span>}
        <br />
        <span className={styles.quiet}>
          sinds {sinceWhen}
          {lastSent !== null && ` · laatste melding ${dateAndTime(Date.parse(lastSent))}`}
          {hasFailed && ' · de laatste kwam niet aan'}
        </span>
      </div>
      {onEnd && (
        <Button
          variant="default"
          size="md"
          aria-label={`Zet uit: meldingen op ${device}, sinds ${sinceWhen}`}
          onClick={onEnd}
        >
          Zet uit
        </Button>
      )}
    </>
  );
}
