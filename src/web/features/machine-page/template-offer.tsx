import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Maintenance } from '#shared/contract/maintenance.ts';
import { failureText } from '#web/lib/api.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';

type TemplateOfferProps = {
  readonly serial: string;
  readonly offer: NonNullable<Maintenance['offer']>;
  readonly onDone: (message: string) => void;
};

/** Offers to add the tasks that the machine lacks, from the maintenance template for its brand and model. */
export function TemplateOffer({ serial, offer: { _id, tasks }, onDone }: TemplateOfferProps): ReactNode {
  const send = useSendChange();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send('POST /api/maintenance/template/apply', { body: { _id, serials: [serial] } }),
    onSuccess: ({ message }) => onDone(message),
  });
  return (
    <div>
      <p>
        Het sjabloon van dit model heeft {tasks.length === 1 ? 'een taak' : 'taken'} die deze machine niet
        heeft: {tasks.join(', ')}.
      </p>
      <FailureAlert>
        {error ? failureText(error, 'Het sjabloon is niet toegepast. Probeer het opnieuw.') : undefined}
      </FailureAlert>
      <BusyButton variant="default" isBusy={isPending} onClick={() => isPending || mutate()}>
        Neem over van het sjabloon
      </BusyButton>
    </div>
  );
}
