import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Group.css';
import '@mantine/core/styles/Input.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CUSTOMER_ROLES } from '#shared/domain/access.ts';
import {
  FEWEST_POSITION_DAYS,
  MOST_POSITION_DAYS,
  type Privacy,
  ROUTES_FROM_WORDS,
} from '#shared/domain/privacy.ts';
import { call } from '#web/lib/api.ts';
import { Form } from '#web/ui/form.tsx';
import { Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

const DAYS = ['ma', 'di', 'wo', 'do', 'vr', 'za', 'zo'];
const DAY_NAMES = ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'];
const USUAL_HOURS = { days: [1, 2, 3, 4, 5], from: '06:00', to: '18:00' };

/** Who sees where the machines were, and how long that is kept: positions are personal data of who drives. */
export function PrivacyPanel({ name }: { readonly name: string }) {
  const settings = useQuery({
    queryKey: ['privacy', name],
    queryFn: ({ signal }) => call('GET /api/organization/privacy', { query: { name }, signal }),
  });
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
      call('POST /api/organization/privacy', {
        body: {
          name,
          ...privacy,
          viewerHours: privacy.viewerHours && { ...privacy.viewerHours, days: [...privacy.viewerHours.days] },
        },
      }),
    onSuccess: (now) => client.setQueryData(['privacy', name], now),
  });
  const pick = (day: number, isOn: boolean): void =>
    setHours({ ...hours, days: isOn ? [...hours.days, day] : hours.days.filter((one) => one !== day) });
  return (
    <Form
      submit="Bewaar"
      fallback="De instellingen zijn niet bewaard. Probeer het opnieuw."
      onSubmit={() =>
        change.mutateAsync({
          routesFrom,
          viewerHours: isBound ? hours : null,
          positionDays: days === '' ? null : Number(days),
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
            {ROUTES_FROM_WORDS[role]}
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
      <TextInput
        label="Posities bewaren (dagen)"
        description={`Leeg: zo lang als metingen. Minstens ${FEWEST_POSITION_DAYS}, hoogstens ${MOST_POSITION_DAYS}. Uren, energie en afstand blijven.`}
        type="number"
        min={FEWEST_POSITION_DAYS}
        max={MOST_POSITION_DAYS}
        size="md"
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
      <Notice>{change.isSuccess ? 'Bewaard.' : undefined}</Notice>
    </Form>
  );
}
