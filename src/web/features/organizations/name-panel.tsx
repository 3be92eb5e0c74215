import { useState } from 'react';
import type { Organization } from '#shared/contract/organizations.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { checkOrganizationDisplayName } from '#shared/domain/organization-name.ts';
import { useChange } from '#web/queries/use-change.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

/** Form for the organization's display name; its functional name cannot change. */
export function NamePanel({ organization: { name, clean } }: { readonly organization: Organization }) {
  const { mutateAsync: rename } = useChange('POST /api/organization/clean');
  const [note, setNote] = useState<string>();
  const save = async (fields: FormData): Promise<void> => {
    setNote(undefined);
    setNote((await rename({ body: { name, clean: cleanOf(fields) } })).message);
  };
  return (
    <Panel title="Naam">
      <Notice>{note}</Notice>
      <Form
        submit="Bewaar de naam"
        fallback="De naam is niet opgeslagen. Probeer het opnieuw."
        checksAll
        check={cleanErrors}
        onSubmit={save}
      >
        <FormInput
          // The key makes the input show the saved name, from which the server removed superfluous spaces.
          key={clean}
          required
          autoComplete="off"
          label={FIELD_TEXTS.clean}
          name="clean"
          defaultValue={clean}
          description="Zo staat het bedrijf overal in het portaal."
          maxLength={100}
        />
      </Form>
    </Panel>
  );
}

const cleanOf = (fields: FormData): string => String(fields.get('clean'));

/** Returns the errors of the display name, by the rules of the server. */
function cleanErrors(fields: FormData): readonly InputError[] {
  const checked = checkOrganizationDisplayName(cleanOf(fields));
  return checked.ok ? [] : [{ name: 'clean', word: FIELD_TEXTS.clean, message: checked.reason }];
}
