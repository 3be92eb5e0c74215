import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Api } from '#shared/contract/api.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import type { AccessLimitInput } from '#shared/contract/limits.ts';
import type { User } from '#shared/contract/users.ts';
import { ADMIN_ORGANIZATION, isActionAllowed, mayResetFactorOf, type Role } from '#shared/domain/access.ts';
import { type CallInputs, callApi } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import type { ChangeKey } from '#web/queries/changes.ts';
import { readQuery } from '#web/queries/read.ts';
import { useSendChange } from '#web/queries/use-change.ts';
import { forgetDeletedAccount } from '#web/session/session.ts';
import { useUser } from '#web/session/user.ts';
import { WrappingEmailAddress } from '#web/ui/address.tsx';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { ApplicantsList } from './applicants-list.tsx';
import { InvitationsList } from './invitations-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import { activeAccessLimitText, canHaveLimit } from './limit-fields.tsx';
import { type HandedOverLink, LinkDialog } from './link-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import styles from './newcomers.module.css';
import { RoleDialog } from './role-dialog.tsx';

type Asked = {
  readonly what: 'delete' | 'move' | 'role' | 'limit' | 'reset' | 'confirm' | 'password';
  readonly user: User;
};

/** Page '/Users/': all accounts for administrators (USER-01), and those of the organization for a beheerder. */
export function UsersPage() {
  const self = useUser();
  const users = useQuery(readQuery('GET /api/user/get'));
  const change = useUserChange();
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<Asked>();
  const [mayReturn, setMayReturn] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [handed, setHanded] = useState<HandedOverLink>();
  const close = (): void => {
    setAsked(undefined);
    setMayReturn(false);
  };

  const remove = async ({ email }: User): Promise<void> => {
    const query = { email, mayReturn: mayReturn ? 'true' : 'false' } as const;
    await change(email, 'DELETE /api/user/delete', { query });
    setNote(`${email} is verwijderd.`);
  };
  const move = async ({ email }: User, organization: string): Promise<void> => {
    const { cleanorg: organizationName } = await change(email, 'POST /api/user/organization', {
      body: { email, organization },
    });
    setNote(`${email} hoort nu bij ${organizationName}.`);
    close();
  };

  const give = async ({ email }: User, role: Role): Promise<void> => {
    await change(email, 'POST /api/user/role', { body: { email, role } });
    setNote(`${email} is nu ${role}.`);
    close();
  };

  const limit = async ({ email }: User, wanted: AccessLimitInput): Promise<void> => {
    await change(email, 'POST /api/user/limit', { body: { email, limit: wanted } });
    setNote(wanted ? `${email} is nu beperkt.` : `${email} is niet meer beperkt.`);
    close();
  };

  const reset = async ({ email }: User): Promise<void> => {
    await change(email, 'POST /api/user/reset-factor', { body: { email } });
    setNote(`De tweede stap van ${email} is gereset.`);
  };

  const handOver = async ({ email }: User, what: 'confirm' | 'password'): Promise<void> => {
    const { link } = await callApi('POST /api/user/link', { body: { email, what } });
    setHanded({ what, email, link });
  };

  return (
    <Page
      title="Gebruikers"
      back="/"
      action={
        isActionAllowed(self, 'manage-users') ? (
          <Button size="md" onClick={() => setInviting(true)}>
            Nodig iemand uit
          </Button>
        ) : undefined
      }
    >
      <OutcomeNotice note={note} />
      {isActionAllowed(self, 'manage-users') && (
        <>
          <ApplicantsList onDone={setNote} onLink={setHanded} />
          <InvitationsList onDone={setNote} onLink={setHanded} />
        </>
      )}
      <h2 className={styles.people}>Accounts</h2>
      <LoadedList query={users} empty={<EmptyState title="Er zijn nog geen gebruikers" />}>
        {(all) => (
          <SearchedList
            items={all}
            textOf={({ email, name, organization, cleanorg: organizationName, role }) =>
              `${email}\n${name ?? ''}\n${organization}\n${organizationName}\n${role}`
            }
            label="Zoek een gebruiker"
            placeholder="E-mailadres, organisatie of rol"
            plural="gebruikers"
          >
            {(found) => (
              <CardList label="Gebruikers" items={found} keyOf={({ _id }) => _id}>
                {(user) => (
                  <UserCard
                    user={user}
                    isSelf={user.email === self.email}
                    onRole={() => setAsked({ what: 'role', user })}
                    onLimit={
                      canHaveLimit(user.organization, user.role) && !self.isLmbCustomer
                        ? () => setAsked({ what: 'limit', user })
                        : undefined
                    }
                    onMove={
                      isActionAllowed(self, 'manage-organizations')
                        ? () => setAsked({ what: 'move', user })
                        : undefined
                    }
                    onReset={
                      user.hasFactor && mayResetFactorOf(self.role, user.role)
                        ? () => setAsked({ what: 'reset', user })
                        : undefined
                    }
                    onConfirm={
                      self.hasNoMailServer && user.mustConfirm
                        ? () => setAsked({ what: 'confirm', user })
                        : undefined
                    }
                    onPassword={
                      self.hasNoMailServer && mayResetFactorOf(self.role, user.role)
                        ? () => setAsked({ what: 'password', user })
                        : undefined
                    }
                    onDelete={() => setAsked({ what: 'delete', user })}
                  />
                )}
              </CardList>
            )}
          </SearchedList>
        )}
      </LoadedList>
      {isInviting && (
        <InviteDialog
          onInvited={(email, link) => {
            setInviting(false);
            if (link === undefined) setNote(`De uitnodiging voor ${email} wordt verstuurd.`);
            else setHanded({ what: 'invitation', email, link });
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {handed && <LinkDialog {...handed} onClose={() => setHanded(undefined)} />}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit account wilt verwijderen"
          onYes={() => remove(asked.user)}
          onClose={close}
          fallback="Het account is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.user.email}</strong>
          </p>
          {asked.user.email === self.email && <p>Dit is je eigen account: je wordt uitgelogd.</p>}
          {asked.user.organization !== ADMIN_ORGANIZATION && (
            <TickBox
              label="Mag met de code terugkomen"
              checked={mayReturn}
              onChange={({ currentTarget }) => setMayReturn(currentTarget.checked)}
            />
          )}
        </ConfirmDialog>
      )}
      {asked?.what === 'reset' && (
        <ConfirmDialog
          question="Weet je zeker dat je de tweede stap wilt resetten"
          kind="change"
          onYes={() => reset(asked.user)}
          onClose={close}
          fallback="De tweede stap is niet gereset. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.user.email}</strong>
          </p>
          <p>
            Doe dit als iemand de telefoon of sleutel kwijt is, en je zeker weet dat diegene het zelf vraagt.
            Daarna is het wachtwoord genoeg om in te loggen. Diegene wordt overal uitgelogd en krijgt een
            mail.
          </p>
        </ConfirmDialog>
      )}
      {(asked?.what === 'confirm' || asked?.what === 'password') && (
        <ConfirmDialog
          question="Wil je een link om door te geven"
          kind="change"
          onYes={() => handOver(asked.user, asked.what === 'confirm' ? 'confirm' : 'password')}
          onClose={close}
          fallback="Er is geen link gemaakt. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.user.email}</strong>
          </p>
          <p>
            {asked.what === 'confirm'
              ? 'Met de link gaat het portaal voor dit account open. Geef hem alleen aan wie zich hiermee registreerde.'
              : 'Met de link kiest diegene een nieuw wachtwoord. Doe dit alleen als je zeker weet dat diegene het zelf vraagt.'}{' '}
            In het logboek staat dat jij de link doorgaf.
          </p>
        </ConfirmDialog>
      )}
      {asked?.what === 'role' && (
        <RoleDialog user={asked.user} onGive={(role) => give(asked.user, role)} onClose={close} />
      )}
      {asked?.what === 'limit' && (
        <LimitDialog user={asked.user} onLimit={(wanted) => limit(asked.user, wanted)} onClose={close} />
      )}
      {asked?.what === 'move' && (
        <MoveDialog
          user={asked.user}
          onMove={(organization) => move(asked.user, organization)}
          onClose={close}
        />
      )}
    </Page>
  );
}

type UserChange = Extract<ChangeKey, `${string} /api/user/${string}`>;

/** Returns a function that changes an account, named by its email address. Ends the session if the account is the user's own. */
function useUserChange() {
  const client = useQueryClient();
  const self = useUser();
  const send = useSendChange();
  return async <K extends UserChange>(
    email: string,
    key: K,
    ...input: CallInputs<K>
  ): Promise<CallOutput<Api[K]>> => {
    if (email !== self.email) return send(key, ...input);
    const answer = await callApi(key, ...(input as never));
    forgetDeletedAccount(client);
    return answer;
  };
}

type UserCardProps = {
  readonly user: User;
  readonly isSelf: boolean;
  readonly onRole: () => void;
  /** Opens the dialog that limits what the account sees; undefined if the account's role cannot have a limit. */
  readonly onLimit: (() => void) | undefined;
  /** Opens the dialog that moves the account to another organization; undefined if the user lacks the permission. */
  readonly onMove: (() => void) | undefined;
  /** Asks to remove the second factor; undefined if the account has none or the user lacks the permission. */
  readonly onReset: (() => void) | undefined;
  /** Asks to make a link that confirms the address; undefined if the address is confirmed or the portal sends mail. */
  readonly onConfirm: (() => void) | undefined;
  /** Asks to make a link for a new password; undefined if the portal sends mail or the user lacks the permission. */
  readonly onPassword: (() => void) | undefined;
  readonly onDelete: () => void;
};

function UserCard({
  user: { email, name, cleanorg: organizationName, role, mustConfirm, limit },
  isSelf,
  onRole,
  onLimit,
  onMove,
  onReset,
  onConfirm,
  onPassword,
  onDelete,
}: UserCardProps) {
  const address = <WrappingEmailAddress email={email} />;
  return (
    <>
      <h2>{name ?? address}</h2>
      {name !== null && <p>{address}</p>}
      <p>
        {organizationName} · {role}
        {isSelf && ' · dit ben jij'}
        {mustConfirm && ' · niet bevestigd'}
        {limit && ` · ${activeAccessLimitText(limit)}`}
      </p>
      <CardActions>
        <Button variant="default" size="md" aria-label={`Wijzig de rol van ${email}`} onClick={onRole}>
          Rol
        </Button>
        {onLimit && (
          <Button variant="default" size="md" aria-label={`Beperking van ${email}`} onClick={onLimit}>
            Beperking
          </Button>
        )}
        {onMove && (
          <Button variant="default" size="md" aria-label={`Verplaats ${email}`} onClick={onMove}>
            Verplaats
          </Button>
        )}
        {onReset && (
          <Button
            variant="default"
            size="md"
            aria-label={`Wis de tweede stap van ${email}`}
            onClick={onReset}
          >
            Wis tweede stap
          </Button>
        )}
        {onConfirm && (
          <Button
            variant="default"
            size="md"
            aria-label={`Link om te bevestigen voor ${email}`}
            onClick={onConfirm}
          >
            Link om te bevestigen
          </Button>
        )}
        {onPassword && (
          <Button
            variant="default"
            size="md"
            aria-label={`Link voor een nieuw wachtwoord voor ${email}`}
            onClick={onPassword}
          >
            Nieuw wachtwoord
          </Button>
        )}
        <DeleteButton word="Delete" of={email} onClick={onDelete} />
      </CardActions>
    </>
  );
}
