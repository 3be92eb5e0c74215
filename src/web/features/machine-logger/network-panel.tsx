import { NativeSelect, PasswordInput } from '@mantine/core';
import { useSendChange } from '#web/queries/use-change.ts';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import { useEffect, useState } from 'react';
import type { LoggerHealth, NetworkChange } from '#shared/contract/writers.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { NETWORK_PANEL } from '#web/machines/missing-steps.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { useInputError } from '#web/ui/input-errors.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

type Network = LoggerHealth['network'];
type Kind = Network['kind'];
type NetworkPanelProps = { readonly serial: string; readonly network: Network };

const TEXT = { size: 'md', autoComplete: 'off', spellCheck: false, withAsterisk: false } as const;

/** Panel that sets the logger's network, mobile or Wi-Fi. Secrets are sent and never shown. */
export function NetworkPanel({ serial, network }: NetworkPanelProps) {
  const send = useSendChange();
  const [kind, setKind] = useState<Kind>(network.kind);
  const [saved, setSaved] = useState(0);
  useEffect(scrollToPanel, []);
  const save = async (fields: FormData): Promise<void> => {
    await send('POST /api/machine/writer/network', { body: { serial, ...changeOf(kind, fields) } });
    setSaved((count) => count + 1);
  };
  return (
    <Panel title="Netwerk van de logger" id={NETWORK_PANEL}>
      <Notice>
        {saved > 0 ? 'Het netwerk is opgeslagen. Maak daarna een nieuwe configuratie.' : undefined}
      </Notice>
      {/* The key resets the fields after a save, which removes typed secrets. */}
      <Form
        key={saved}
        submit="Netwerk opslaan"
        fallback="Het netwerk is niet opgeslagen. Probeer het opnieuw."
        onSubmit={save}
      >
        <NativeSelect
          label="Verbinding"
          size="md"
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        >
          <option value="mobile">Mobiel netwerk</option>
          <option value="wifi">Wi-Fi</option>
        </NativeSelect>
        {kind === 'mobile' ? <MobileFields network={network} /> : <WifiFields network={network} />}
      </Form>
    </Panel>
  );
}

/** Scrolls to this panel if the URL's fragment names it: the browser looks for the fragment before the panel is rendered. */
function scrollToPanel(): void {
  if (window.location.hash === `#${NETWORK_PANEL}`) document.getElementById(NETWORK_PANEL)?.scrollIntoView();
}

function MobileFields({ network: { apn, hasSimPin } }: { readonly network: Network }) {
  return (
    <>
      <FormInput
        {...TEXT}
        label={FIELD_TEXTS.apn}
        name="apn"
        description="Leeg: die van het portaal"
        autoCapitalize="none"
        maxLength={100}
        defaultValue={apn}
      />
      <Secret
        label={FIELD_TEXTS.simPin}
        name="simPin"
        isKept={hasSimPin}
        removal="Verwijder de pincode"
        input={{ inputMode: 'numeric', pattern: '[0-9]{4,8}', title: '4 tot 8 cijfers', maxLength: 8 }}
      />
    </>
  );
}

function WifiFields({ network: { wifiSsid, hasWifiPassword } }: { readonly network: Network }) {
  return (
    <>
      <FormInput
        {...TEXT}
        label={FIELD_TEXTS.wifiSsid}
        name="wifiSsid"
        autoCapitalize="none"
        required
        maxLength={32}
        defaultValue={wifiSsid}
      />
      <Secret
        label={FIELD_TEXTS.wifiPassword}
        name="wifiPassword"
        isKept={hasWifiPassword}
        removal="Verwijder het wachtwoord"
        input={{ minLength: 8, maxLength: 63 }}
      />
    </>
  );
}

type SecretProps = {
  readonly label: string;
  readonly name: 'simPin' | 'wifiPassword';
  /** Whether the server already stores this secret. */
  readonly isKept: boolean;
  readonly removal: string;
  readonly input: {
    readonly inputMode?: 'numeric';
    readonly pattern?: string;
    readonly title?: string;
    readonly minLength?: number;
    readonly maxLength: number;
  };
};

function Secret({ label, name, isKept, removal, input }: SecretProps) {
  return (
    <div className="stack gap-2">
      <PasswordInput
        {...TEXT}
        {...input}
        label={label}
        name={name}
        error={useInputError(name)}
        autoComplete="new-password"
        description={isKept ? 'Ingesteld. Leeg laten: blijft zoals die is.' : 'Leeg: geen'}
        visibilityToggleButtonProps={{ 'aria-label': `${label} tonen`, tabIndex: 0 }}
      />
      {isKept && <TickBox label={removal} name={`${name}Removed`} />}
    </div>
  );
}

/** Returns the change to send. An empty secret field keeps the stored secret, unless the user ticked its removal. */
function changeOf(kind: Kind, fields: FormData): NetworkChange {
  const text = (name: string): string => String(fields.get(name) ?? '');
  const secret = (name: 'simPin' | 'wifiPassword'): { readonly [_ in typeof name]?: string } => {
    if (text(name) !== '') return { [name]: text(name) };
    return fields.has(`${name}Removed`) ? { [name]: '' } : {};
  };
  return kind === 'mobile'
    ? { kind, apn: text('apn'), ...secret('simPin') }
    : { kind, wifiSsid: text('wifiSsid'), ...secret('wifiPassword') };
}
