import { Button } from '@mantine/core';
import type { Maintenance } from '#shared/contract/maintenance.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { FIELD_WORDS } from '#shared/domain/field-words.ts';
import { exactNumber } from '#shared/domain/nl.ts';
import { readNumber } from '#shared/domain/typed-number.ts';
import { call } from '#web/lib/api.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import type { FieldFault } from '#web/ui/field-faults.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { NumberField } from '#web/ui/number-field.tsx';

export type Plan = Maintenance['plans'][number];

const MOST_CHARACTERS = 10;
const NUMBERS = ['everyHours', 'everyMonths', 'lastHours', 'doneHours'] as const;
const textOf = (value: number | null | undefined): string => (value == null ? '' : exactNumber(value));
/** As it is read from the meter in the cab. */
const meterOf = (hours: number): string => exactNumber(Math.round(hours * 10) / 10);
const textIn = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

type Outcome = {
  /** What the hour meter says. */
  readonly hours: number;
  readonly onSaved: (message: string) => Promise<void>;
  readonly onClose: () => void;
};

type PlanDialogProps = Outcome & {
  readonly serial: string;
  /** The one to change; undefined: a new one. */
  readonly plan: Plan | undefined;
};

/** What is to be done every so often, and when it was last. */
export function PlanDialog({ serial, hours, plan, onSaved, onClose }: PlanDialogProps) {
  const send = async (fields: FormData): Promise<void> => {
    const body = {
      planName: textIn(fields, 'planName'),
      everyHours: readNumber(textIn(fields, 'everyHours')) ?? null,
      everyMonths: readNumber(textIn(fields, 'everyMonths')) ?? null,
      lastHours: readNumber(textIn(fields, 'lastHours')) as number,
      lastDay: textIn(fields, 'lastDay'),
    };
    const { message } = plan
      ? await call('POST /api/maintenance/edit', { body: { ...body, _id: plan._id } })
      : await call('POST /api/maintenance/create', { body: { ...body, serial } });
    await onSaved(message);
  };
  return (
    <Dialog title={plan ? 'Wijzig onderhoud' : 'Nieuw onderhoud'} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          fallback="Het onderhoud is niet opgeslagen. Probeer het opnieuw."
          check={wrongNumbers}
          onSubmit={send}
        >
          <FormInput
            label={FIELD_WORDS.planName}
            name="planName"
            required
            maxLength={80}
            autoComplete="off"
            placeholder="Grote beurt"
            defaultValue={plan?.planName}
          />
          <NumberField
            label={FIELD_WORDS.everyHours}
            unit="uur"
            maxLength={MOST_CHARACTERS}
            name="everyHours"
            description="Leeg: niet op draaiuren"
            defaultValue={textOf(plan?.everyHours)}
          />
          <NumberField
            label={FIELD_WORDS.everyMonths}
            unit="maanden"
            maxLength={MOST_CHARACTERS}
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
            label={FIELD_WORDS.lastHours}
            unit="uur"
            maxLength={MOST_CHARACTERS}
            name="lastHours"
            description={`Nu ${meterOf(hours)} uur`}
            required
            defaultValue={plan ? textOf(plan.lastHours) : meterOf(hours)}
          />
        </Form>
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

/** That it was done: the next time is counted from here. */
export function DoneDialog({ hours, plan, onSaved, onClose }: Outcome & { readonly plan: Plan }) {
  const send = async (fields: FormData): Promise<void> => {
    const body = {
      _id: plan._id,
      doneDay: textIn(fields, 'doneDay'),
      doneHours: readNumber(textIn(fields, 'doneHours')) as number,
      doneNote: textIn(fields, 'doneNote'),
    };
    await onSaved((await call('POST /api/maintenance/done', { body })).message);
  };
  return (
    <Dialog title={`Gedaan: ${plan.planName}`} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          fallback="Het onderhoud is niet genoteerd. Probeer het opnieuw."
          check={wrongNumbers}
          onSubmit={send}
        >
          <DayInput
            label={FIELD_WORDS.doneDay}
            name="doneDay"
            required
            max={amsterdamDay(Date.now())}
            defaultValue={amsterdamDay(Date.now())}
          />
          <NumberField
            label={FIELD_WORDS.doneHours}
            unit="uur"
            maxLength={MOST_CHARACTERS}
            name="doneHours"
            description="Van de teller in de machine, als die anders staat"
            required
            defaultValue={meterOf(hours)}
          />
          <FormInput label={FIELD_WORDS.doneNote} name="doneNote" maxLength={500} autoComplete="off" />
        </Form>
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

/** What the server could not even read. */
const wrongNumbers = (fields: FormData): readonly FieldFault[] =>
  NUMBERS.flatMap((name) => {
    const text = textIn(fields, name);
    if (text === '' || readNumber(text) !== undefined) return [];
    return [{ name, word: FIELD_WORDS[name], message: `${FIELD_WORDS[name]} is een getal, zoals 500.` }];
  });
