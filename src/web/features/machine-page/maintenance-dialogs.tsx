import type { Maintenance } from '#shared/contract/maintenance.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { hourMeterText } from '#web/machines/maintenance-done.tsx';
import { useSendChange } from '#web/queries/use-change.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';

export type Plan = Maintenance['plans'][number];

const MAX_INPUT_CHARACTERS = 10;
const NUMBERS = ['everyHours', 'everyMonths', 'lastHours'] as const;
const textOf = (value: number | null | undefined): string => (value == null ? '' : formatExactNumber(value));
const textIn = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

type PlanDialogProps = {
  readonly serial: string;
  /** Present hours of the hour meter. */
  readonly hours: number;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
  /** The plan to change; undefined for a new one. */
  readonly plan: Plan | undefined;
};

/** Dialog that makes or changes a maintenance plan. */
export function PlanDialog({ serial, hours, plan, onSaved, onClose }: PlanDialogProps) {
  const send = useSendChange();
  const save = async (fields: FormData): Promise<void> => {
    const body = {
      planName: textIn(fields, 'planName'),
      everyHours: parseTypedNumber(textIn(fields, 'everyHours')) ?? null,
      everyMonths: parseTypedNumber(textIn(fields, 'everyMonths')) ?? null,
      lastHours: parseTypedNumber(textIn(fields, 'lastHours')) as number,
      lastDay: textIn(fields, 'lastDay'),
    };
    const { message } = plan
      ? await send('POST /api/maintenance/edit', { body: { ...body, _id: plan._id } })
      : await send('POST /api/maintenance/create', { body: { ...body, serial } });
    onSaved(message);
  };
  return (
    <Dialog title={plan ? 'Wijzig onderhoud' : 'Nieuw onderhoud'} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          onCancel={onClose}
          fallback="Het onderhoud is niet opgeslagen. Probeer het opnieuw."
          check={checkNumbers}
          onSubmit={save}
        >
          <FormInput
            label={FIELD_TEXTS.planName}
            name="planName"
            required
            maxLength={80}
            autoComplete="off"
            placeholder="Grote beurt"
            defaultValue={plan?.planName}
          />
          <NumberField
            label={FIELD_TEXTS.everyHours}
            unit="uur"
            maxLength={MAX_INPUT_CHARACTERS}
            name="everyHours"
            description="Leeg: niet op draaiuren"
            defaultValue={textOf(plan?.everyHours)}
          />
          <NumberField
            label={FIELD_TEXTS.everyMonths}
            unit="maanden"
            maxLength={MAX_INPUT_CHARACTERS}
            name="everyMonths"
            description="Leeg: niet op datum. Met beide: wat het eerst komt"
            defaultValue={textOf(plan?.everyMonths)}
          />
          <DayInput
            label="Laatst gedaan op"
            name="lastDay"
            required
            max={amsterdamDay(Date.now())}
            defaultValue={plan?.lastDay ?? amsterdamDay(Date.now())}
          />
          <NumberField
            label={FIELD_TEXTS.lastHours}
            unit="uur"
            maxLength={MAX_INPUT_CHARACTERS}
            name="lastHours"
            description={`Nu ${hourMeterText(hours)} uur`}
            required
            defaultValue={plan ? textOf(plan.lastHours) : hourMeterText(hours)}
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

/** Returns the errors of number fields that hold no number. */
const checkNumbers = (fields: FormData): readonly InputError[] =>
  NUMBERS.flatMap((name) => {
    const text = textIn(fields, name);
    if (text === '' || parseTypedNumber(text) !== undefined) return [];
    return [{ name, word: FIELD_TEXTS[name], message: `${FIELD_TEXTS[name]} is een getal, zoals 500.` }];
  });
