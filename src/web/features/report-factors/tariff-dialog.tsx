import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Tariff } from '#shared/contract/charging-tariffs.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { formatExactNumber } from '#shared/domain/nl.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { Dialog, DialogBody } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormSelect } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

type TariffDialogProps = {
  /** The tariff to change; undefined for a new one. */
  readonly tariff: Tariff | undefined;
  /** Whether the user must choose the organization of a new tariff. */
  readonly choosesOwner: boolean;
  readonly onSaved: (message: string) => void;
  readonly onClose: () => void;
};

/** Contracts may use a decimal point: 0.245 is not 245. */
const PRICE_RULES = { dot: 'decimal' } as const;
const PRICES = ['dayPrice', 'nightPrice'] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const textOf = (price: number | null | undefined): string => (price == null ? '' : formatExactNumber(price));

/** A dialog for the prices of a tariff and the days on which it is valid. */
export function TariffDialog({ tariff, choosesOwner, onSaved, onClose }: TariffDialogProps): ReactNode {
  const send = useSendChange();
  const [hasNight, setNight] = useState(tariff !== undefined && tariff.nightPrice !== null);
  const [isWeekend, setWeekend] = useState(tariff?.nightWeekend ?? true);
  const asksOwner = choosesOwner && !tariff;
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const [owner, setOwner] = useState(tariff?.organization);
  const terreinen = useQuery(readQuery('GET /api/terrein/get')).data ?? [];
  // An administrator sees the terreinen of all organizations, so only those of the tariff's owner are offered.
  const places = terreinen.filter(({ organization }) => !choosesOwner || organization === owner);
  const save = async (fields: FormData): Promise<void> => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const body = {
      terreinId: text('terreinId') === '' ? null : Number(text('terreinId')),
      firstDay: text('firstDay'),
      lastDay: text('lastDay') || null,
      dayPrice: parseTypedNumber(text('dayPrice'), PRICE_RULES) as number,
      nightPrice: hasNight ? (parseTypedNumber(text('nightPrice'), PRICE_RULES) ?? null) : null,
      nightFrom: hasNight ? Number(text('nightFrom')) : 23,
      nightTo: hasNight ? Number(text('nightTo')) : 7,
      nightWeekend: isWeekend,
      ...(asksOwner && { organization: text('organization') }),
    };
    const { message } = tariff
      ? await send('POST /api/charging-tariff/edit', { body: { ...body, _id: tariff._id } })
      : await send('POST /api/charging-tariff/create', { body });
    onSaved(message);
  };
  const hours = (name: 'nightFrom' | 'nightTo', usual: number) => (
    <FormSelect label={FIELD_TEXTS[name]} name={name} defaultValue={String(tariff?.[name] ?? usual)}>
      {HOURS.map((hour) => (
        <option key={hour} value={hour}>
          {`${String(hour).padStart(2, '0')}:00`}
        </option>
      ))}
    </FormSelect>
  );
  return (
    <Dialog title={tariff ? 'Wijzig het laadtarief' : 'Nieuw laadtarief'} onClose={onClose}>
      <DialogBody>
        <Form
          submit="Opslaan"
          onCancel={onClose}
          fallback="Het laadtarief is niet opgeslagen. Probeer het opnieuw."
          check={priceErrors}
          onSubmit={save}
        >
          {asksOwner && (
            <FormSelect
              label="Organisatie"
              name="organization"
              required
              onChange={({ currentTarget }) => setOwner(currentTarget.value)}
            >
              <option value="">Kies Een Organisatie</option>
              {owners.data?.map(({ name, clean }) => (
                <option key={name} value={name}>
                  {clean}
                </option>
              ))}
            </FormSelect>
          )}
          {places.length > 0 && (
            <FormSelect
              label={FIELD_TEXTS.terreinId}
              name="terreinId"
              description="Een tarief van een terrein gaat voor bij laden op dat terrein"
              defaultValue={String(tariff?.terreinId ?? '')}
            >
              <option value="">Overal</option>
              {places.map(({ _id, terreinName }) => (
                <option key={_id} value={_id}>
                  {terreinName}
                </option>
              ))}
            </FormSelect>
          )}
          <NumberField
            rules={PRICE_RULES}
            label={hasNight ? 'Dagprijs per kWh' : FIELD_TEXTS.dayPrice}
            unit="euro"
            name="dayPrice"
            description="In euro, zonder btw, met hoogstens 5 decimalen"
            required
            maxLength={10}
            defaultValue={textOf(tariff?.dayPrice)}
          />
          <TickBox
            label="’s Nachts geldt een andere prijs"
            checked={hasNight}
            onChange={({ currentTarget }) => setNight(currentTarget.checked)}
          />
          {hasNight && (
            <>
              <NumberField
                rules={PRICE_RULES}
                label={FIELD_TEXTS.nightPrice}
                unit="euro"
                name="nightPrice"
                required
                maxLength={10}
                defaultValue={textOf(tariff?.nightPrice)}
              />
              {hours('nightFrom', 23)}
              {hours('nightTo', 7)}
              <TickBox
                label={FIELD_TEXTS.nightWeekend}
                checked={isWeekend}
                onChange={({ currentTarget }) => setWeekend(currentTarget.checked)}
              />
            </>
          )}
          <DayInput label="Geldt vanaf" name="firstDay" required defaultValue={tariff?.firstDay ?? ''} />
          <DayInput
            label={FIELD_TEXTS.lastDay}
            name="lastDay"
            description="Leeg: tot een nieuwer tarief begint"
            defaultValue={tariff?.lastDay ?? ''}
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

/** Returns the errors of prices that the server could not parse. */
const priceErrors = (fields: FormData): readonly InputError[] =>
  PRICES.flatMap((name) => {
    const text = fields.get(name);
    const isRight =
      text === null ||
      String(text).trim() === '' ||
      parseTypedNumber(String(text), PRICE_RULES) !== undefined;
    const message = `${FIELD_TEXTS[name]} is een bedrag, zoals 0,245.`;
    return isRight ? [] : [{ name, word: FIELD_TEXTS[name], message }];
  });
