import { Button } from '@mantine/core';
import type { Factor, FactorKind } from '#shared/contract/report-factors.ts';
import { FIELD_WORDS } from '#shared/domain/field-words.ts';
import { exactNumber } from '#shared/domain/nl.ts';
import { readDecimal } from '#web/lib/decimal.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import type { FieldFault } from '#web/ui/field-faults.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import { useOwners, useSaveFactor } from './factor-calls.ts';

type FactorDialogProps = {
  readonly kind: FactorKind;
  /** The one to change; undefined: a new one. */
  readonly factor: Factor | undefined;
  /** Whether it must be said of which organization a new one is. */
  readonly choosesOwner: boolean;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

const NUMBERS = ['factorValue', 'fromKw', 'belowKw'] as const;
const textOf = (value: number | null | undefined): string => (value == null ? '' : exactNumber(value));

/** With what reports reckon from a day on, and where that is from. */
export function FactorDialog({ kind, factor, choosesOwner, onSaved, onClose }: FactorDialogProps) {
  const { mutateAsync: save } = useSaveFactor();
  const asksOwner = choosesOwner && !factor;
  const owners = useOwners(asksOwner);
  const send = async (fields: FormData): Promise<void> => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const { message } = await save({
      factorKind: kind,
      factorValue: readDecimal(text('factorValue')) as number,
      firstDay: text('firstDay'),
      fromKw: readDecimal(text('fromKw')) ?? null,
      belowKw: readDecimal(text('belowKw')) ?? null,
      comparedTo: text('comparedTo'),
      factorSource: text('factorSource'),
      ...(factor && { _id: factor._id }),
      ...(asksOwner && { organization: text('organization') }),
    });
    onSaved(message);
  };
  return (
    <Dialog title={titleOf(kind, factor !== undefined)} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          fallback="De factor is niet opgeslagen. Probeer het opnieuw."
          check={wrongNumbers}
          onSubmit={send}
        >
          {asksOwner && (
            <FormSelect label="Organisatie" name="organization" required>
              <option value="">Kies Een Organisatie</option>
              {owners.data?.map(({ name, clean }) => (
                <option key={name} value={name}>
                  {clean}
                </option>
              ))}
            </FormSelect>
          )}
          {kind === 'diesel' && (
            <>
              <FormInput
                label={FIELD_WORDS.fromKw}
                name="fromKw"
                inputMode="decimal"
                autoComplete="off"
                required
                maxLength={10}
                defaultValue={textOf(factor?.fromKw)}
              />
              <FormInput
                label={FIELD_WORDS.belowKw}
                name="belowKw"
                description="Leeg: en alles daarboven"
                inputMode="decimal"
                autoComplete="off"
                maxLength={10}
                defaultValue={textOf(factor?.belowKw)}
              />
            </>
          )}
          <FormInput
            label={kind === 'co2' ? 'Kilogram CO2 per kWh' : 'Liter diesel per uur'}
            name="factorValue"
            inputMode="decimal"
            autoComplete="off"
            required
            maxLength={10}
            defaultValue={textOf(factor?.factorValue)}
          />
          {kind === 'diesel' && (
            <FormInput
              label={FIELD_WORDS.comparedTo}
              name="comparedTo"
              description="De machine op diesel die nu niet wordt ingezet"
              autoComplete="off"
              required
              maxLength={120}
              defaultValue={factor?.comparedTo}
            />
          )}
          <DayInput label="Geldt vanaf" name="firstDay" required defaultValue={factor?.firstDay ?? ''} />
          <FormInput
            label={FIELD_WORDS.factorSource}
            name="factorSource"
            description="Staat onder elk rapport dat ermee rekent"
            autoComplete="off"
            required
            maxLength={200}
            defaultValue={factor?.factorSource}
          />
        </Form>
        <Button variant="default" size="md" fullWidth onClick={onClose}>
          Annuleren
        </Button>
      </DialogBody>
    </Dialog>
  );
}

function titleOf(kind: FactorKind, isThere: boolean): string {
  if (kind === 'co2') return isThere ? 'Wijzig de factor voor CO2' : 'Nieuwe factor voor CO2';
  return isThere ? 'Wijzig de klasse voor diesel' : 'Nieuwe klasse voor diesel';
}

/** What the server could not even read. */
const wrongNumbers = (fields: FormData): readonly FieldFault[] =>
  NUMBERS.flatMap((name) => {
    const text = fields.get(name);
    const isRight = text === null || String(text).trim() === '' || readDecimal(String(text)) !== undefined;
    const message = `${FIELD_WORDS[name]} is een getal, zoals 9,5.`;
    return isRight ? [] : [{ name, word: FIELD_WORDS[name], message }];
  });
