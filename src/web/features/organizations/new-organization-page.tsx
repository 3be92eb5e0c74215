import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useNavigate } from 'react-router';
import { checkOrganizationClean, checkOrganizationName } from '#shared/domain/organization-name.ts';
import { withNote } from '#web/lib/arrival-note.ts';
import { Form } from '#web/ui/form.tsx';
import { Page } from '#web/ui/page.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { useCreateOrganization } from './organization-calls.ts';

const LIST = '/organization/';
const FIELD = { required: true, withAsterisk: false, size: 'md', autoComplete: 'off' } as const;

/** /organization/nieuw (ORG-04). */
export function NewOrganizationPage() {
  const navigate = useNavigate();
  const { mutateAsync: create } = useCreateOrganization();
  const send = async (fields: FormData): Promise<void> => {
    const { clean, code } = await create({ ...namesOf(fields), isLmbCustomer: fields.has('isLmbCustomer') });
    await navigate(LIST, withNote(`${clean} is gemaakt. De code is ${code}.`));
  };
  return (
    <Page title="Maak Een Nieuwe Organisatie" back={LIST}>
      <Form
        submit="Maak Organisatie"
        fallback="De organisatie is niet gemaakt. Probeer het opnieuw."
        check={nameFault}
        onSubmit={send}
      >
        <TextInput
          {...FIELD}
          label="Functionele Bedrijfs Naam"
          name="name"
          placeholder="kraanverhuur-de-boer"
          description="Kleine letters, cijfers en streepjes. Deze naam blijft zoals hij is."
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
        />
        <TextInput
          {...FIELD}
          label="Nette Bedrijfs Naam"
          name="clean"
          placeholder="Kraanverhuur De Boer"
          description="Zo staat het bedrijf overal in het portaal."
          maxLength={100}
        />
        <TickBox label="Is LMB Logging Account" name="isLmbCustomer" />
      </Form>
    </Page>
  );
}

const namesOf = (fields: FormData) => ({
  name: String(fields.get('name')),
  clean: String(fields.get('clean')),
});

/** The rules that the server has too. */
function nameFault(fields: FormData): string | undefined {
  const { name, clean } = namesOf(fields);
  return [checkOrganizationName(name), checkOrganizationClean(clean)].find((checked) => !checked.ok)?.reason;
}
