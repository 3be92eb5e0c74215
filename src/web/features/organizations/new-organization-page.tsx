import { useNavigate } from 'react-router';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { checkOrganizationDisplayName, checkOrganizationName } from '#shared/domain/organization-name.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { Page } from '#web/ui/page.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';

const LIST = '/organization/';
/** Explains how the first people get an account of a new organization, which has no beheerder (own administrator) yet. */
const FIRST_PERSON =
  'Nodig bij Gebruikers de eerste beheerder uit. Wie zich met de code registreert, laat je daar zelf toe zolang er nog geen beheerder is.';
const FIELD = { required: true, autoComplete: 'off' } as const;

/** Page '/organization/nieuw': creates an organization (ORG-04). */
export function NewOrganizationPage() {
  const navigate = useNavigate();
  const send = useSendChange();
  const create = async (fields: FormData): Promise<void> => {
    const isBerende = fields.has('isLmbCustomer') ? 'true' : 'false';
    const { clean, code } = await send('GET /api/organization/create', {
      query: { ...namesOf(fields), isBerende },
    });
    await navigate(LIST, noteNavigationOptions(`${clean} is gemaakt. De code is ${code}. ${FIRST_PERSON}`));
  };
  return (
    <Page title="Maak Een Nieuwe Organisatie" back={LIST}>
      <Form
        submit="Maak Organisatie"
        fallback="De organisatie is niet gemaakt. Probeer het opnieuw."
        checksAll
        check={nameErrors}
        onSubmit={create}
      >
        <FormInput
          {...FIELD}
          label={FIELD_TEXTS.name}
          name="name"
          placeholder="kraanverhuur-de-boer"
          description="Kleine letters, cijfers en streepjes. Deze naam blijft zoals hij is."
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
        />
        <FormInput
          {...FIELD}
          label={FIELD_TEXTS.clean}
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

/** Returns the errors of the functional name and the display name, by the rules of the server. */
function nameErrors(fields: FormData): readonly InputError[] {
  const { name, clean } = namesOf(fields);
  const checks = { name: checkOrganizationName(name), clean: checkOrganizationDisplayName(clean) } as const;
  return (['name', 'clean'] as const).flatMap((field) => {
    const checked = checks[field];
    return checked.ok ? [] : [{ name: field, word: FIELD_TEXTS[field], message: checked.reason }];
  });
}
