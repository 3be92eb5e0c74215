import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MachineSale } from '#shared/contract/machine-sale.ts';
import type { MachineDetails } from '#shared/contract/machines.ts';
import { ApiError } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FormSelect } from '#web/ui/form-input.tsx';
import { FailureAlert, RetryAlert } from '#web/ui/notice.tsx';
import { MomentField } from '#web/ui/range-fields.tsx';
import { saleSentences } from './sale-sentences.ts';

type SaleDialogProps = {
  readonly machine: MachineDetails;
  /** The possible buyers, with their functional and display names. */
  readonly owners: readonly { readonly name: string; readonly clean: string }[];
  /** Functional name of the preselected buyer; '' for none. */
  readonly chosen: string;
  readonly onSold: (message: string) => void;
  readonly onClose: () => void;
};

/** Dialog 'Verkoop of verplaats': the user chooses the buyer and the time of the sale, and sees the consequences. */
export function SaleDialog({ machine, owners, chosen, onSold, onClose }: SaleDialogProps) {
  const { serialNumber: serial, alias, organization: from } = machine;
  const [opened] = useState(() => Date.now());
  const [bedrijf, setBuyer] = useState(chosen);
  /** Time of the sale, unix ms; undefined for a sale that takes effect at once. */
  const [moment, setMoment] = useState<number>();
  const query = { bedrijf, ...(moment !== undefined && { at: new Date(moment).toISOString() }) };
  const preview = useQuery({
    ...readQuery('GET /api/machine/sale/:serial', { params: { serial }, query }),
    enabled: bedrijf !== '',
    gcTime: 0,
  });
  // The error of an invalid choice, such as a time in the future, is shown without a retry button.
  const { error } = preview;
  const refusal = error instanceof ApiError && error.code === 'invalid' ? error.message : undefined;
  const send = useSendChange();
  const sell = async (): Promise<void> => {
    if (!preview.data) throw new Error('No buyer was chosen, or the preview is not loaded yet.');
    onSold((await send('POST /api/machine/sell', { body: { serial, from, ...query } })).message);
  };
  return (
    <ConfirmDialog
      question={`Wil je ${alias} aan een andere organisatie geven`}
      kind="change"
      fallback={
        bedrijf === ''
          ? 'Kies een organisatie.'
          : preview.data
            ? 'De machine is niet verkocht. Probeer het opnieuw.'
            : 'Wacht tot er staat wat de verkoop doet.'
      }
      onYes={sell}
      onClose={onClose}
    >
      <div className="stack gap-4">
        <FormSelect
          label="Naar"
          name="bedrijf"
          required
          value={bedrijf}
          onChange={({ currentTarget }) => setBuyer(currentTarget.value)}
          data-first
        >
          <option value="">Kies Een Organisatie</option>
          {owners.map(({ name, clean }) => (
            <option key={name} value={name}>
              {clean}
            </option>
          ))}
        </FormSelect>
        <MomentField
          label="Vanaf"
          which="first"
          value={moment ?? opened}
          latest={opened}
          onChange={setMoment}
        />
        {refusal !== undefined && <FailureAlert>{refusal}</FailureAlert>}
        {refusal === undefined && (
          <RetryAlert query={preview} fallback="Wat de verkoop doet, is niet geladen." />
        )}
        {preview.data && <SaleFacts sale={preview.data} />}
      </div>
    </ConfirmDialog>
  );
}

const SaleFacts = ({ sale }: { readonly sale: MachineSale }) => (
  <ul className="stack gap-1 bullets wrap">
    {saleSentences(sale).map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
