import type { ReactNode } from 'react';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';

const MAX_INPUT_CHARACTERS = 10;
const textIn = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

/** Returns an hour meter's reading as shown in the cab, with one decimal at most. */
export const hourMeterText = (hours: number): string => formatExactNumber(Math.round(hours * 10) / 10);

type DoneDialogProps = {
  readonly plan: { readonly _id: number; readonly planName: string };
  /** Reading of the machine's hour meter, in hours. */
  readonly hours: number;
  /** Name of the machine, if the page does not show it. */
  readonly machine?: string;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

/** A dialog that records completed maintenance, from which the next due date follows. */
export function DoneDialog({ hours, plan, machine, onSaved, onClose }: DoneDialogProps): ReactNode {
  const send = useSendChange();
  const save = async (fields: FormData): Promise<void> => {
    const body = {
      _id: plan._id,
      doneDay: textIn(fields, 'doneDay'),
      doneHours: parseTypedNumber(textIn(fields, 'doneHours')) as number,
      doneNote: textIn(fields, 'doneNote'),
    };
    onSaved((await send('POST /api/maintenance/done', { body })).message);
  };
  return (
    <Dialog title={`Gedaan: ${plan.planName}`} onClose={onClose}>
      <DialogBody>
        {machine !== undefined && <p>{machine}</p>}
        <Form
          submit="Opslaan"
          fallback="Het onderhoud is niet genoteerd. Probeer het opnieuw."
          check={hoursErrors}
          onSubmit={save}
          onCancel={onClose}
        >
          <DayInput
            label={FIELD_TEXTS.doneDay}
            name="doneDay"
            required
            max={amsterdamDay(Date.now())}
            defaultValue={amsterdamDay(Date.now())}
          />
          <NumberField
            label={FIELD_TEXTS.doneHours}
            unit="uur"
            maxLength={MAX_INPUT_CHARACTERS}
            name="doneHours"
            description="Van de teller in de machine, als die anders staat"
            required
            defaultValue={hourMeterText(hours)}
          />
          <FormInput label={FIELD_TEXTS.doneNote} name="doneNote" maxLength={500} autoComplete="off" />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

/** Returns a field error if the typed hour-meter reading is no number, because the server could not parse such a text. */
function hoursErrors(fields: FormData): readonly InputError[] {
  const text = textIn(fields, 'doneHours');
  if (text === '' || parseTypedNumber(text) !== undefined) return [];
  const word = FIELD_TEXTS.doneHours;
  return [{ name: 'doneHours', word, message: `${word} is een getal, zoals 500.` }];
}
