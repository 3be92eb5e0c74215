import { type ReactNode, useState } from 'react';
import type { Alert, alertsApi } from '#shared/contract/alerts.ts';
import type { CallInput } from '#shared/contract/endpoint.ts';
import { isOperatorKind } from '#shared/domain/alerts/kinds.ts';
import { DAILY_MAIL_AT } from '#shared/domain/alerts/quiet-hours.ts';
import { useChange } from '#web/queries/use-change.ts';
import { RadioChoice } from '#web/ui/choice.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';

type Mute = CallInput<(typeof alertsApi)['POST /api/alert/mute']>['body'];

const UNTIL: readonly { readonly value: Mute['until']; readonly label: string; readonly about: string }[] = [
  { value: 'hour', label: 'Een uur', about: 'Daarna hoor je er weer van.' },
  { value: 'tomorrow', label: 'Tot morgen', about: `Tot ${DAILY_MAIL_AT} in de ochtend.` },
  { value: 'ever', label: 'Altijd', about: 'Tot je het bij Mijn account weer aan zet.' },
];

type MuteDialogProps = {
  readonly alert: Alert;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
};

/** Dialog in which the user mutes an alert's machine or rule: only this user is then not notified. */
export function MuteDialog({ alert, onDone, onClose }: MuteDialogProps): ReactNode {
  const { machine, rule, kind } = alert;
  const [what, setWhat] = useState<Mute['what']>(machine ? 'machine' : 'rule');
  const [until, setUntil] = useState<Mute['until']>('hour');
  const { mutateAsync: mute } = useChange('POST /api/alert/mute');
  const ofRule = {
    value: 'rule',
    label: `De regel ‘${rule.ruleName}’`,
    about: isOperatorKind(kind) ? 'Wat zij ook ziet.' : 'Van geen enkele machine hoor je dit.',
  } as const;
  const ofMachine = machine && {
    value: 'machine' as const,
    label: `De machine ${machine.alias}`,
    about: 'Wat er ook met haar is.',
  };
  return (
    <Dialog title="Dempen" onClose={onClose}>
      <DialogBody>
        <p>
          Je krijgt er zelf geen bericht meer van. In deze lijst blijft alles staan, en anderen merken niets.
        </p>
        <Form
          submit="Dempen"
          onCancel={onClose}
          fallback="Het is niet gedempt. Probeer het opnieuw."
          onSubmit={async () => {
            const { message } = await mute({ body: { alert: alert._id, what, until } });
            onDone(message);
            onClose();
          }}
        >
          <RadioChoice
            label="Wat"
            options={ofMachine ? [ofMachine, ofRule] : [ofRule]}
            value={what}
            onChange={setWhat}
          />
          <RadioChoice label="Hoe lang" options={UNTIL} value={until} onChange={setUntil} />
        </Form>
      </DialogBody>
    </Dialog>
  );
}
