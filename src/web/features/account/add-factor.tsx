/** The two forms that add a second factor, for 'Mijn account' and for users who must set one up before they continue. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { callApi } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { createPasskey } from '#web/session/passkey.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import styles from './factors.module.css';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

type AddProps = {
  /** Called with the recovery codes if the account had no second factor yet, else with []. Codes can be shown only once. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
};

/** Form that creates a passkey on this device or on another one that the browser offers. */
export function AddPasskey({ onAdded }: AddProps) {
  const send = useSendChange();
  const add = async (fields: FormData): Promise<void> => {
    const { token, options } = await callApi('POST /api/account/factors/passkey');
    const passkey = await createPasskey(options);
    const body = { token, factorName: String(fields.get('factorName')), passkey };
    const { recoveryCodes } = await send('POST /api/account/factors/passkey/confirm', { body });
    onAdded(recoveryCodes);
  };
  return (
    <>
      <p>
        Je telefoon, computer of beveiligingssleutel vraagt om je vinger, je gezicht of een pincode. Met een
        passkey log je daarna ook zonder wachtwoord in.
      </p>
      <Form
        submit="Maak een passkey"
        fallback="De passkey is niet gemaakt. Probeer het opnieuw."
        onSubmit={add}
      >
        <NameInput placeholder="Mijn telefoon" />
      </Form>
    </>
  );
}

/** Form that adds an authenticator app: shows the secret as a QR code and asks for the first code of the app. */
export function AddTotp({ onAdded }: AddProps) {
  // The server adds no factor until the first code confirms the secret.
  const secret = useQuery({
    ...readQuery('POST /api/account/factors/totp'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const send = useSendChange();
  const offered = secret.data;
  const add = async (fields: FormData): Promise<void> => {
    if (!offered) return;
    const body = {
      token: offered.token,
      factorName: String(fields.get('factorName')),
      code: String(fields.get('code')),
    };
    const { recoveryCodes } = await send('POST /api/account/factors/totp/confirm', { body });
    onAdded(recoveryCodes);
  };
  return (
    <div className="stack">
      <RetryAlert query={secret} fallback="De QR-code is niet geladen." />
      <p>Scan de QR-code met een authenticator-app op je telefoon, of typ de sleutel daarin over.</p>
      <div className={`${styles.qrPlace} centre`}>
        <Suspense fallback={null}>
          {offered && <QrCode text={offered.address} label="QR-code voor je authenticator-app" />}
        </Suspense>
      </div>
      {offered && (
        <p className={`${styles.secret} row justify-centre`}>
          <code>{offered.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={offered.secret} label="Kopieer de sleutel" />
        </p>
      )}
      <Form submit="Voeg toe" fallback="De app is niet toegevoegd. Probeer het opnieuw." onSubmit={add}>
        <NameInput placeholder="App op mijn telefoon" />
        <FormInput
          name="code"
          label="Code"
          description="De zes cijfers die de app nu laat zien."
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          maxLength={40}
        />
      </Form>
    </div>
  );
}

const NameInput = ({ placeholder }: { readonly placeholder: string }) => (
  <FormInput
    name="factorName"
    label="Naam"
    description="Zo herken je hem later in de lijst."
    placeholder={placeholder}
    autoComplete="off"
    required
    maxLength={60}
  />
);
