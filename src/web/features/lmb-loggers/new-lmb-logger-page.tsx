import { NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useNavigate } from 'react-router';
import { checkIdentifier } from '#shared/domain/identifiers.ts';
import { withNote } from '#web/lib/arrival-note.ts';
import { Form } from '#web/ui/form.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { useCreateLmbLogger, useCustomers } from './lmb-logger-calls.ts';

const LIST = '/lmb-logging/';
const FIELD = {
  required: true,
  withAsterisk: false,
  size: 'md',
  autoComplete: 'off',
  spellCheck: false,
  maxLength: 64,
} as const;

/** /lmb-logging/nieuw (LOG-02). */
export function NewLmbLoggerPage() {
  const navigate = useNavigate();
  const customers = useCustomers();
  const { mutateAsync: create } = useCreateLmbLogger();
  const owners = customers.data ?? [];
  const send = async (fields: FormData): Promise<void> => {
    const { organization, loggerid, alias } = valuesOf(fields);
    const clean = owners.find(({ name }) => name === organization)?.clean ?? '';
    await create({ organization, loggerid, alias, clean });
    await navigate(
      LIST,
      withNote(`${alias.trim()} is gemaakt. De logger stel je in op de pagina van de machine.`),
    );
  };
  return (
    <Page title="Maak Een Nieuwe LMB Logging Machine" back={LIST}>
      <RetryAlert query={customers} fallback="De organisaties zijn niet geladen." />
      {customers.data?.length === 0 && (
        <p>
          Er is nog geen organisatie met een LMB Logging Account.{' '}
          <TextLink to="/organization/nieuw">Maak een organisatie</TextLink>
        </p>
      )}
      <Form
        submit="Maak Machine"
        fallback="De machine is niet gemaakt. Probeer het opnieuw."
        check={fault}
        onSubmit={send}
      >
        <NativeSelect
          label="Organisatie"
          name="organization"
          required
          withAsterisk={false}
          size="md"
          defaultValue=""
        >
          <option value="">Kies Een Organisatie</option>
          {owners.map(({ name, clean }) => (
            <option key={name} value={name}>
              {clean}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          {...FIELD}
          label="Loggerid"
          name="loggerid"
          description="De 7 cijfers op de logger. Een ander nummer kan ook: koppel de logger dan daarna."
        />
        <TextInput
          {...FIELD}
          label="Naam"
          name="alias"
          description="Zo heet de machine in het hele portaal."
        />
      </Form>
    </Page>
  );
}

const valuesOf = (fields: FormData) => ({
  organization: String(fields.get('organization')),
  loggerid: String(fields.get('loggerid')),
  alias: String(fields.get('alias')),
});

/** The rules that the server has too. */
function fault(fields: FormData): string | undefined {
  const { organization, loggerid, alias } = valuesOf(fields);
  if (organization === '') return 'Kies een organisatie.';
  const wrong = [checkIdentifier(loggerid, 'Loggerid'), checkIdentifier(alias, 'Naam')].find(({ ok }) => !ok);
  return wrong && !wrong.ok ? wrong.reason : undefined;
}
