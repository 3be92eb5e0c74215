import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Group.css';
import '@mantine/core/styles/Input.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CUSTOMER_ROLES } from '#shared/domain/access.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import {
  MAX_POSITION_RETENTION_DAYS,
  MIN_POSITION_RETENTION_DAYS,
  type Privacy,
  ROUTE_VISIBILITY_LABELS,
} from '#shared/domain/privacy.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { callApi } from '#web/lib/api.ts';
import { Form } from '#web/ui/form.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

const DAYS = ['ma', 'di', 'wo', 'do', 'vr', 'za', 'zo'];
const DAY_NAMES = ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'];
const USUAL_HOURS = { days: [1, 2, 3, 4, 5], from: '06:00', to: '18:00' };

const privacyOf = (name: string) => readQuery('GET /api/organization/privacy', { query: { name } });

/** Settings for who sees positions and how long positions are stored. Positions are personal data of drivers. */
export function PrivacyPanel({ name }: { readonly name: string }) {
  const settings = useQuery(privacyOf(name));
  return (
    <Panel title="Posities en privacy">
      <RetryAlert query={settings} fallback="De instellingen zijn niet geladen." />
      {settings.data && <PrivacyForm name={name} stored={settings.data} />}
    </Panel>
  );
}

function PrivacyForm({ name, stored }: { readonly name: string; readonly stored: Privacy }) {
  const client = useQueryClient();
  const [routesFrom, setRoutesFrom] = useState(stored.routesFrom);
  const [isBound, setBound] = useState(stored.viewerHours !== null);
  const [hours, setHours] = useState(stored.viewerHours ?? USUAL_HOURS);
  const [days, setDays] = useState(stored.positionDays === null ? '' : String(stored.positionDays));
  const change = useMutation({
    mutationFn: (privacy: Privacy) =>
      callApi('POST /api/organization/privacy', {
        body: {
          name,
          ...privacy,
          viewerHours: privacy.viewerHours && { ...privacy.viewerHours, days: [...privacy.viewerHours.days] },
        },
      }),
    onSuccess: (now) => client.setQueryData(privacyOf(name).queryKey, now),
  });
  const pick = (day: number, isOn: boolean): void =>
    setHours({ ...hours, days: isOn ? [...hours.days, day] : hours.days.filter((one) => one !== day) });
  return (
    <Form
      submit="Bewaar"
      fallback="De instellingen zijn niet bewaard. Probeer het opnieuw."
      check={() => daysErrors(days)}
      onSubmit={() =>
        change.mutateAsync({
          routesFrom,
          viewerHours: isBound ? hours : null,
          positionDays: days.trim() === '' ? null : parseTypedNumber(days)!,
        })
      }
    >
      <NativeSelect
        label="Wie ziet routes van het verleden?"
        size="md"
        value={routesFrom}
        onChange={({ currentTarget }) => setRoutesFrom(currentTarget.value as Privacy['routesFrom'])}
      >
        {CUSTOMER_ROLES.toReversed().map((role) => (
          <option key={role} value={role}>
            {ROUTE_VISIBILITY_LABELS[role]}
          </option>
        ))}
      </NativeSelect>
      <TickBox
        label="Een kijker ziet alleen posities onder werktijd"
        checked={isBound}
        onChange={({ currentTarget }) => setBound(currentTarget.checked)}
      />
      {isBound && (
        <>
          <Checkbox.Group label="Werkdagen" value={hours.days.map(String)} size="md">
            <Group gap="md" mt="xs">
              {DAYS.map((day, n) => (
                <TickBox
                  key={day}
                  value={String(n + 1)}
                  label={day}
                  aria-label={DAY_NAMES[n]}
                  onChange={({ currentTarget }) => pick(n + 1, currentTarget.checked)}
                />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput
            label="Werktijd van"
            type="time"
            size="md"
            required
            withAsterisk={false}
            value={hours.from}
            onChange={({ currentTarget }) => setHours({ ...hours, from: currentTarget.value })}
          />
          <TextInput
            label="Werktijd tot"
            type="time"
            size="md"
            required
            withAsterisk={false}
            value={hours.to}
            onChange={({ currentTarget }) => setHours({ ...hours, to: currentTarget.value })}
          />
        </>
      )}
      <NumberField
        name="positionDays"
        label="Posities bewaren (dagen)"
        description={`Leeg: zo lang als metingen. Minstens ${MIN_POSITION_RETENTION_DAYS}, hoogstens ${MAX_POSITION_RETENTION_DAYS}. Uren, energie en afstand blijven`}
        unit="dagen"
        inputMode="numeric"
        maxLength={10}
        value={days}
        onChange={setDays}
      />
      <Notice>{change.isSuccess ? 'Bewaard.' : undefined}</Notice>
    </Form>
  );
}

function daysErrors(text: string): readonly InputError[] {
  const days = text.trim() === '' ? MIN_POSITION_RETENTION_DAYS : parseTypedNumber(text);
  const isRight =
    Number.isInteger(days) && days! >= MIN_POSITION_RETENTION_DAYS && days! <= MAX_POSITION_RETENTION_DAYS;
  const word = 'Posities bewaren';
  const range = `${formatNumber(MIN_POSITION_RETENTION_DAYS)} tot ${formatNumber(MAX_POSITION_RETENTION_DAYS)}`;
  return isRight ? [] : [{ name: 'positionDays', word, message: `${word} is een heel getal van ${range}.` }];
}
