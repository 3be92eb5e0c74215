import { PasswordInput } from '@mantine/core';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/PasswordInput.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OidcSettings } from '#shared/contract/oidc.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { callApi, failureText } from '#web/lib/api.ts';
import { useUser } from '#web/session/user.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { useInputError } from '#web/ui/input-errors.ts';
import { FailureAlert, Notice, RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';

const FAILED = 'De inlogdienst is niet opgeslagen. Probeer het opnieuw.';

/**
 * Settings of the organization's identity provider. Only administrators set the provider; the organization's beheerder
 * can also switch 'Alleen zo inloggen', with which its people sign in by the provider only.
 */
export function OidcPanel({ organization }: { readonly organization: Organization }): ReactNode {
  const { name } = organization;
  const client = useQueryClient();
  const stored = readQuery('GET /api/organization/oidc', { query: { name } });
  const settings = useQuery(stored);
  const mayChange = isActionAllowed(useUser(), 'manage-organizations');
  const [note, setNote] = useState<string>();
  const saved = (now: OidcSettings, what: string): void => {
    client.setQueryData(stored.queryKey, now);
    setNote(what);
  };
  const { data } = settings;

  return (
    <Panel title="Inloggen via de organisatie">
      <RetryAlert query={settings} fallback="De inlogdienst is niet geladen." />
      <Notice>{note}</Notice>
      {data && (
        <>
          {data.provider ? (
            <p>
              Wie een adres heeft dat eindigt op <strong>@{data.provider.domain}</strong>, kan inloggen met
              het account van de organisatie.
            </p>
          ) : (
            <p>
              {mayChange
                ? 'Met een eigen inlogdienst (OpenID Connect) loggen mensen in met het account dat ze van hun werk al hebben.'
                : 'Er is geen eigen inlogdienst. Wil je die? Vraag het de beheerder van het portaal.'}
            </p>
          )}
          {data.provider && name !== ADMIN_ORGANIZATION && (
            <OnlySwitch
              name={name}
              isOnly={data.provider.isOnly}
              onDone={(now) => saved(now, 'Opgeslagen.')}
            />
          )}
          {mayChange && (
            <ProviderForm
              key={data.provider?.issuer}
              name={name}
              settings={data}
              onSaved={(now) => saved(now, 'De inlogdienst antwoordt, en is opgeslagen.')}
              onDeleted={(now) => saved(now, 'De inlogdienst is weggehaald.')}
            />
          )}
        </>
      )}
    </Panel>
  );
}

type OnlySwitchProps = {
  readonly name: string;
  readonly isOnly: boolean;
  readonly onDone: (now: OidcSettings) => void;
};

/** The switch 'Alleen zo inloggen'. Asks for confirmation before switching on, because passwords then stop working. */
function OnlySwitch({ name, isOnly, onDone }: OnlySwitchProps) {
  const [isAsking, setAsking] = useState(false);
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (is: boolean) => callApi('POST /api/organization/oidc/only', { body: { name, isOnly: is } }),
    onSuccess: onDone,
  });
  return (
    <>
      <div className="split">
        <span>Alleen zo inloggen</span>
        <SwitchButton
          label="Alleen zo inloggen"
          isOn={isOnly}
          texts={['Aan', 'Uit']}
          isBusy={isPending}
          isCalm
          onSwitch={(is) => (is ? setAsking(true) : void mutateAsync(false).catch(() => undefined))}
        />
      </div>
      <FailureAlert>{error && !isAsking ? failureText(error, FAILED) : undefined}</FailureAlert>
      {isAsking && (
        <ConfirmDialog
          question="Weet je zeker dat niemand van de organisatie nog met een wachtwoord mag inloggen"
          kind="change"
          onYes={() => mutateAsync(true)}
          onClose={() => setAsking(false)}
        >
          <p>Registreren met de code en een wachtwoord vergeten gaan dan ook niet meer.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type ProviderFormProps = {
  readonly name: string;
  readonly settings: OidcSettings;
  readonly onSaved: (now: OidcSettings) => void;
  readonly onDeleted: (now: OidcSettings) => void;
};

function ProviderForm({ name, settings: { provider, redirectUri }, onSaved, onDeleted }: ProviderFormProps) {
  const [isRemoving, setRemoving] = useState(false);
  const save = async (fields: FormData): Promise<void> => {
    const text = (field: string): string => String(fields.get(field)).trim();
    const secret = text('clientSecret');
    const body = {
      name,
      issuer: text('issuer'),
      domain: text('domain'),
      clientId: text('clientId'),
      ...(secret !== '' && { clientSecret: secret }),
    };
    onSaved(await callApi('POST /api/organization/oidc', { body }));
  };
  return (
    <>
      <div>
        <p>Geef dit adres op bij de inlogdienst, als adres om naar terug te sturen (redirect URI):</p>
        <p className="row">
          <code className="shrink wrap">{redirectUri}</code>
          <CopyButton text={redirectUri} label="Kopieer het adres om naar terug te sturen" />
        </p>
      </div>
      <Form submit={provider ? 'Wijzig' : 'Stel in'} fallback={FAILED} onSubmit={save}>
        <FormInput
          label="Adres van de inlogdienst"
          name="issuer"
          type="url"
          placeholder="https://inlog.bedrijf.nl"
          description="De issuer, zoals de inlogdienst hem zelf noemt."
          defaultValue={provider?.issuer}
          required
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
        />
        <FormInput
          label="Domein"
          name="domain"
          placeholder="bedrijf.nl"
          description="Wat in de adressen van de mensen achter de @ staat."
          defaultValue={provider?.domain}
          required
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <FormInput
          label="Client-id"
          name="clientId"
          defaultValue={provider?.clientId}
          required
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
        />
        <SecretInput isKept={provider !== null} />
      </Form>
      {provider && (
        <div>
          <DeleteButton of="de inlogdienst" onClick={() => setRemoving(true)} />
        </div>
      )}
      {isRemoving && (
        <ConfirmDialog
          question="Weet je zeker dat je de inlogdienst wilt weghalen"
          onYes={async () =>
            onDeleted(await callApi('POST /api/organization/oidc/delete', { body: { name } }))
          }
          onClose={() => setRemoving(false)}
        >
          <p>
            Iedereen logt dan weer in met een wachtwoord. Wie er geen heeft, kiest er een via de inlogpagina.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const SecretInput = ({ isKept }: { readonly isKept: boolean }) => (
  <PasswordInput
    label="Client-geheim"
    name="clientSecret"
    description={isKept ? 'Leeg: het geheim dat er is blijft.' : undefined}
    required={!isKept}
    withAsterisk={false}
    maxLength={1000}
    size="md"
    autoComplete="off"
    error={useInputError('clientSecret')}
    visibilityToggleButtonProps={{ 'aria-label': 'Geheim tonen', tabIndex: 0 }}
  />
);
