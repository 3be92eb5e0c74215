import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { checkAlias, checkIdentifier } from '#shared/domain/identifiers.ts';
import { callApi } from '#web/lib/api.ts';
import { noteNavigationOptions } from '#web/lib/arrival-note.ts';
import { findDeletedBefore, useRestoreOffer } from '#web/machines/restore-offer.tsx';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import type { InputError } from '#web/ui/input-errors.ts';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';

const LIST = '/lmb-logging/';
const FIELD = {
  required: true,
  autoComplete: 'off',
  spellCheck: false,
  maxLength: 64,
} as const;

/** Page '/lmb-logging/nieuw': makes an LMB logger (LOG-02). */
export function NewLmbLoggerPage() {
  const navigate = useNavigate();
  const customers = useQuery(readQuery('GET /api/organization/get/berende'));
  const send = useSendChange();
  const offer = useRestoreOffer();
  const owners = customers.data ?? [];
  const save = async (fields: FormData): Promise<void> => {
    const { organization, loggerid, alias } = valuesOf(fields);
    const deleted = findDeletedBefore(await callApi('GET /api/berend/get/deleted'), (one) => one.loggerid, {
      number: loggerid,
      organization,
    });
    const answer = deleted ? await offer.ask(deleted) : 'new';
    if (answer === 'nothing') return;
    if (deleted && answer === 'restore') {
      const { message } = await send('POST /api/berend/restore', { body: { _id: deleted._id } });
      await navigate(LIST, noteNavigationOptions(`${deleted.alias}: ${message}`));
      return;
    }
    const clean = owners.find(({ name }) => name === organization)?.clean ?? '';
    await send('GET /api/berend/new', { query: { organization, loggerid, alias, clean } });
    await navigate(
      LIST,
      noteNavigationOptions(`${alias.trim()} is gemaakt. De logger stel je in op de pagina van de machine.`),
    );
  };
  return (
    <Page title="Maak Een Nieuwe LMB Logging Machine" back={LIST}>
      {offer.dialog}
      <RetryAlert query={customers} fallback="De organisaties zijn niet geladen." />
      {customers.data?.length === 0 && (
        <p className="my-4">
          Er is nog geen organisatie met een LMB Logging Account.{' '}
          <TextLink to="/organization/nieuw">Maak een organisatie</TextLink>
        </p>
      )}
      <Form
        submit="Maak Machine"
        fallback="De machine is niet gemaakt. Probeer het opnieuw."
        checksAll
        check={findErrors}
        onSubmit={save}
      >
        <FormSelect label={FIELD_TEXTS.organization} name="organization" required defaultValue="">
          <option value="">Kies Een Organisatie</option>
          {owners.map(({ name, clean }) => (
            <option key={name} value={name}>
              {clean}
            </option>
          ))}
        </FormSelect>
        <FormInput
          {...FIELD}
          label={FIELD_TEXTS.loggerid}
          name="loggerid"
          description="De 7 cijfers op de logger. Een ander nummer kan ook: koppel de logger dan daarna."
        />
        <FormInput
          {...FIELD}
          label={FIELD_TEXTS.alias}
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

/** Returns the errors of the form, by the same rules as the server. */
function findErrors(fields: FormData): readonly InputError[] {
  const { organization, loggerid, alias } = valuesOf(fields);
  const names = { loggerid, alias } as const;
  const errors = (['loggerid', 'alias'] as const).flatMap((name) => {
    const word = FIELD_TEXTS[name];
    const checked = (name === 'alias' ? checkAlias : checkIdentifier)(names[name], word);
    return checked.ok ? [] : [{ name, word, message: checked.reason }];
  });
  if (organization !== '') return errors;
  const word = FIELD_TEXTS.organization;
  return [{ name: 'organization', word, message: 'Kies een organisatie.' }, ...errors];
}
