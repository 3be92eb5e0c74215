import { useQuery } from '@tanstack/react-query';
import type { ReportFactor, ReportFactorKind } from '#shared/contract/report-factors.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';

type FactorDialogProps = {
  readonly kind: ReportFactorKind;
  /** The factor to change; undefined for a new one. */
  readonly factor: ReportFactor | undefined;
  /** Whether the user must choose the organization of a new factor. */
  readonly choosesOwner: boolean;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

/** Sources of factors may use a decimal point: 1.125 is not 1125. */
const FACTOR_RULES = { dot: 'decimal' } as const;
const NUMBERS = ['factorValue', 'fromKw', 'belowKw'] as const;
const textOf = (value: number | null | undefined): string => (value == null ? '' : formatExactNumber(value));

/** A dialog for a factor with which reports compute CO2 or diesel, its first day and its source. */
export function FactorDialog({ kind, factor, choosesOwner, onSaved, onClose }: FactorDialogProps) {
  const send = useSendChange();
  const asksOwner = choosesOwner && !factor;
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const save = async (fields: FormData): Promise<void> => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const body = {
      factorKind: kind,
      factorValue: parseTypedNumber(text('factorValue'), FACTOR_RULES) as number,
      firstDay: text('firstDay'),
      fromKw: parseTypedNumber(text('fromKw')) ?? null,
      belowKw: parseTypedNumber(text('belowKw')) ?? null,
      comparedTo: text('comparedTo'),
      factorSource: text('factorSource'),
      ...(asksOwner && { organization: text('organization') }),
    };
    const { message } = factor
      ? await send('POST /api/report-factor/edit', { body: { ...body, _id: factor._id } })
      : await send('POST /api/report-factor/create', { body });
    onSaved(message);
  };
  return (
    <Dialog title={titleOf(kind, factor !== undefined)} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          onCancel={onClose}
          fallback="De factor is niet opgeslagen. Probeer het opnieuw."
          check={numberErrors}
          onSubmit={save}
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
              <NumberField
                label={FIELD_TEXTS.fromKw}
                unit="kW"
                name="fromKw"
                required
                maxLength={10}
                defaultValue={textOf(factor?.fromKw)}
              />
              <NumberField
                label={FIELD_TEXTS.belowKw}
                unit="kW"
                name="belowKw"
                description="Leeg: en alles daarboven"
                maxLength={10}
                defaultValue={textOf(factor?.belowKw)}
              />
            </>
          )}
          <NumberField
            rules={FACTOR_RULES}
            label={kind === 'co2' ? 'Kilogram CO2 per kWh' : 'Liter diesel per uur'}
            name="factorValue"
            required
            maxLength={10}
            defaultValue={textOf(factor?.factorValue)}
          />
          {kind === 'diesel' && (
            <FormInput
              label={FIELD_TEXTS.comparedTo}
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
            label={FIELD_TEXTS.factorSource}
            name="factorSource"
            description="Staat onder elk rapport dat ermee rekent"
            autoComplete="off"
            required
            maxLength={200}
            defaultValue={factor?.factorSource}
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

function titleOf(kind: ReportFactorKind, isChange: boolean): string {
  if (kind === 'co2') return isChange ? 'Wijzig de factor voor CO2' : 'Nieuwe factor voor CO2';
  return isChange ? 'Wijzig de klasse voor diesel' : 'Nieuwe klasse voor diesel';
}

/** Returns the errors of numbers that the server could not parse. */
const numberErrors = (fields: FormData): readonly InputError[] =>
  NUMBERS.flatMap((name) => {
    const text = fields.get(name);
    const isRight =
      text === null || String(text).trim() === '' || parseTypedNumber(String(text)) !== undefined;
    const message = `${FIELD_TEXTS[name]} is een getal, zoals 9,5.`;
    return isRight ? [] : [{ name, word: FIELD_TEXTS[name], message }];
  });
