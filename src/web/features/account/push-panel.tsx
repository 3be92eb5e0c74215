import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PushDevice } from '#shared/contract/push.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { useChange } from '#web/queries/use-change.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { usePushDevices, useSwitchPush } from './push-devices.ts';

/** Panel that switches notifications on this device and lists the user's other devices (16.5). */
export function PushPanel(): ReactNode {
  const query = usePushDevices();
  const switching = useSwitchPush();
  const ending = useChange('POST /api/push/unsubscribe');
  const testing = useChange('POST /api/push/test');
  const [outcome, setOutcome] = useState<Outcome>({});
  const isBusy = switching.isPending || ending.isPending || testing.isPending;
  const run = <Input,>(mutation: Mutation<Input>, input: Input, fallback: string, help?: string): void => {
    if (isBusy) return;
    setOutcome({});
    mutation.mutate(input, {
      onSuccess: ({ message }) => setOutcome({ note: message, help }),
      onError: (error) => setOutcome({ failure: failureText(error, fallback) }),
    });
  };
  const { devices = [], obstacle, ownDeviceId } = query.data ?? {};
  return (
    <Panel title="Meldingen op dit apparaat">
      <p className="quiet">
        Ze komen ook als het portaal niet open staat. Na uitloggen komen ze hier niet meer, na opnieuw
        inloggen weer wel.
      </p>
      <RetryAlert query={query} fallback="De meldingen zijn niet geladen." />
      {obstacle !== undefined && <p>{obstacle}</p>}
      {query.data && obstacle === undefined && (
        <div className="cluster gap-3 stretch">
          <SwitchButton
            label="Meldingen op dit apparaat"
            isOn={ownDeviceId !== undefined}
            texts={['Aan', 'Uit']}
            isCalm
            isBusy={isBusy}
            onSwitch={() =>
              run(switching, ownDeviceId, 'De meldingen zijn niet gewijzigd. Probeer het opnieuw.')
            }
          />
          {ownDeviceId !== undefined && (
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
      <Notice>{outcome.note}</Notice>
      {outcome.help !== undefined && <p className="quiet">{outcome.help}</p>}
      <FailureAlert>{outcome.failure}</FailureAlert>
      {devices.length > 0 && (
        <ul className="rows unless-empty" aria-label="Apparaten met meldingen">
          {devices.map((device) => (
            <li key={device.id}>
              <DeviceRow
                device={device}
                onEnd={
                  device.id === ownDeviceId
                    ? undefined
                    : () =>
                        run(
                          ending,
                          { body: { id: device.id } },
                          'De meldingen zijn niet uitgezet. Probeer het opnieuw.',
                        )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type Outcome = { readonly note?: string; readonly help?: string | undefined; readonly failure?: string };
type Mutation<Input> = {
  mutate(
    input: Input,
    then: {
      readonly onSuccess: (answer: { readonly message: string }) => void;
      readonly onError: (error: Error) => void;
    },
  ): void;
};

const NOT_SEEN =
  'Zie je niets? Kijk bij de instellingen van het apparaat of meldingen van deze browser aan staan, en of ‘Niet storen’ uit is.';

type DeviceRowProps = {
  readonly device: PushDevice;
  /** Ends the notifications on the device; undefined for this device, for which the switch above the list does that. */
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
        {isOwn && <span className="tag ml-2">Dit apparaat</span>}
        <br />
        <span className="quiet">
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
