import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import type { Webhook, WebhookDelivery } from '#shared/contract/webhooks.ts';
import { isDelivered, RETRY_FOR_HOURS, webhookText } from '#shared/domain/webhooks.ts';
import { ApiError, callApi, failureText } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { deriveQuery, readQuery } from '#web/queries/read.ts';
import { useChange, useSendChange } from '#web/queries/use-change.ts';
import { CardActions, CardList, CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { DeliveryLog, deliveryStateText } from './delivery-log.tsx';
import { type NewSecret, SecretDialog, WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks-page.module.css';

const EVERY_MS = 15_000;
/** Interval of polling, shorter than usual, while the first attempt to send a message is in progress. */
const FOLLOW_MS = 1_000;
/** Time for which a page polls fast after a message was sent: longer than the first attempt takes. */
const FOLLOW_FOR_MS = 60_000;

const isFirstUnderWay = ({ tries, nextTryAt, askedAt }: WebhookDelivery): boolean =>
  tries === 0 && nextTryAt !== null && Date.now() - Date.parse(askedAt) < FOLLOW_FOR_MS;

/** Queries the webhooks of an organization and the log of the messages that the portal sent to them. */
const webhooksOf = (name: string) =>
  deriveQuery('GET /api/webhook/log', [name], async (signal) => {
    const [log, webhooks] = await Promise.all([
      callApi('GET /api/webhook/log', { query: { name }, signal }),
      callApi('GET /api/webhook/get', { query: { name }, signal }),
    ]);
    return { log, webhooks };
  });

type Asked =
  | { readonly what: 'save'; readonly webhook?: Webhook }
  | { readonly what: 'renew' | 'off' | 'delete'; readonly webhook: Webhook }
  | ({ readonly what: 'secret' } & NewSecret);

/** Page '/organization/:name/webhooks': the addresses of the organization's programs, to which the portal sends messages. */
export function WebhooksPage() {
  const { name = '' } = useParams();
  const query = useQuery({
    ...webhooksOf(name),
    refetchInterval: ({ state }) => (state.data?.log.some(isFirstUnderWay) ? FOLLOW_MS : EVERY_MS),
  });
  const clean = useQuery(readQuery('GET /api/organization/get')).data?.find(
    (one) => one.name === name,
  )?.clean;
  const send = useSendChange();
  const switching = useChange('POST /api/webhook/switch');
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<Asked>();
  /** The header `webhook-id` of the last test message of each webhook, by the webhook's `_id`. */
  const [trials, setTrials] = useState<Readonly<Record<number, string>>>({});
  /** Closes the dialog, unless that dialog has just opened another one. */
  const close = (): void => setAsked((now) => (now === asked ? undefined : now));
  const switchTo = async ({ _id }: Webhook, isOn: boolean): Promise<void> => {
    setNote(undefined);
    setNote((await switching.mutateAsync({ body: { _id, isOn } })).message);
  };

  if (query.error instanceof ApiError && query.error.code === 'not_found')
    return <NotFound what="Deze organisatie" to="/organization/" way="Naar de organisaties" />;
  const { webhooks, log } = query.data ?? {};
  return (
    <Page
      title="Webhooks"
      back={`/organization/${name}`}
      action={
        <Button size="md" onClick={() => setAsked({ what: 'save' })}>
          Nieuwe webhook
        </Button>
      }
    >
      <p className={`${styles.whose} quiet`}>{clean}</p>
      <p className="measure mb-6">
        Een webhook is een adres van je eigen programma. Het portaal stuurt daar een bericht heen bij elke
        melding, en ondertekent het volgens{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>
        . Wat niet aankomt, wordt {RETRY_FOR_HOURS} uur lang opnieuw geprobeerd.
      </p>
      <OutcomeNotice
        note={note}
        failure={
          switching.error && asked?.what !== 'off'
            ? failureText(switching.error, 'De webhook is niet gewijzigd.')
            : undefined
        }
      />
      <RetryAlert
        query={query}
        fallback={query.data ? 'De lijst is niet vernieuwd.' : 'De lijst is niet geladen.'}
      />
      {query.isPending && <CardSkeletons />}
      {webhooks?.length === 0 && (
        <EmptyState title="Nog geen webhooks">
          <p>Maak er een, en stuur een proef om te zien of je programma het bericht krijgt.</p>
        </EmptyState>
      )}
      {webhooks && log && webhooks.length > 0 && (
        <>
          <CardList label="Webhooks" items={webhooks} keyOf={({ _id }) => _id}>
            {(webhook) => (
              <WebhookCard
                webhook={webhook}
                trial={trials[webhook._id]}
                log={log}
                isSwitching={switching.isPending && switching.variables.body._id === webhook._id}
                onSwitch={(isOn) => {
                  switching.reset();
                  if (!isOn && webhook.waiting > 0) setAsked({ what: 'off', webhook });
                  else void switchTo(webhook, isOn).catch(() => undefined);
                }}
                onTried={(event) => setTrials((all) => ({ ...all, [webhook._id]: event }))}
                onAsk={(what) => setAsked({ what, webhook })}
              />
            )}
          </CardList>
          <DeliveryLog log={log} />
        </>
      )}
      {asked?.what === 'save' && (
        <WebhookDialog
          of={name}
          webhook={asked.webhook}
          onSaved={(message, made) => {
            setNote(message);
            setAsked(made && { what: 'secret', ...made });
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'secret' && <SecretDialog {...asked} onClose={close} />}
      {asked?.what === 'renew' && (
        <ConfirmDialog
          question={`Wil je ${asked.webhook.webhookName} een nieuw geheim geven`}
          kind="change"
          onYes={async () => {
            const { webhookName, _id } = asked.webhook;
            const { message, secret } = await callApi('POST /api/webhook/secret', { body: { _id } });
            setNote(message);
            setAsked({ what: 'secret', webhookName, secret });
          }}
          onClose={close}
          fallback="Er is geen nieuw geheim. Probeer het opnieuw."
        >
          <p>
            Berichten worden dan meteen met het nieuwe ondertekend. Tot je programma dat kent, weigert het ze;
            ze worden opnieuw geprobeerd.
          </p>
        </ConfirmDialog>
      )}
      {asked?.what === 'off' && (
        <ConfirmDialog
          question={`Weet je zeker dat je ${asked.webhook.webhookName} wilt uitzetten`}
          kind="change"
          onYes={() => switchTo(asked.webhook, false)}
          onClose={close}
          fallback="De webhook is niet uitgezet. Probeer het opnieuw."
        >
          <p>Wat nog moet aankomen, wordt niet meer verstuurd: {messages(asked.webhook.waiting)}.</p>
        </ConfirmDialog>
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          question={`Weet je zeker dat je ${asked.webhook.webhookName} wilt verwijderen`}
          onYes={async () =>
            setNote((await send('POST /api/webhook/delete', { body: { _id: asked.webhook._id } })).message)
          }
          onClose={close}
          fallback="De webhook is niet verwijderd. Probeer het opnieuw."
        >
          <p>Wat ernaartoe is verstuurd, staat dan niet meer in de lijst.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

type WebhookCardProps = {
  readonly webhook: Webhook;
  /** The header `webhook-id` of the last test message; undefined if none was sent from this page. */
  readonly trial: string | undefined;
  readonly log: readonly WebhookDelivery[];
  readonly isSwitching: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onTried: (event: string) => void;
  readonly onAsk: (what: 'save' | 'renew' | 'delete') => void;
};

/** Shows the address and state of a webhook, with its buttons. */
function WebhookCard({ webhook, trial, log, isSwitching, onSwitch, onTried, onAsk }: WebhookCardProps) {
  const { _id, webhookName, webhookUrl, isOn, isGone, failingSince, waiting, givenUp } = webhook;
  const testing = useChange('POST /api/webhook/test');
  const test = (): void => {
    if (!testing.isPending) testing.mutate({ body: { _id } }, { onSuccess: ({ event }) => onTried(event) });
  };
  return (
    <>
      <h2>{webhookName}</h2>
      <p className={`${styles.state} strong wrap`} data-wrong={isGone || (isOn && failingSince !== null)}>
        {webhookText(webhook)}
      </p>
      <p>{webhookUrl}</p>
      {waiting > 0 && <p>Wacht op een volgende poging: {messages(waiting)}</p>}
      {givenUp > 0 && <p>Niet aangekomen in 30 dagen: {messages(givenUp)}</p>}
      <Trial delivery={log.find(({ event }) => event === trial)}>
        {testing.error
          ? failureText(testing.error, 'Het proefbericht is niet verstuurd. Probeer het opnieuw.')
          : undefined}
      </Trial>
      <CardActions>
        <SwitchButton
          label={`${webhookName} aan`}
          isOn={isOn}
          texts={['Aan', 'Uit']}
          isBusy={isSwitching}
          isCalm
          onSwitch={onSwitch}
        />
        {isOn && (
          <Button
            variant="default"
            size="md"
            aria-label={`Stuur een proef naar ${webhookName}`}
            aria-disabled={testing.isPending || undefined}
            onClick={test}
          >
            Stuur een proef
          </Button>
        )}
        <Button
          variant="default"
          size="md"
          aria-label={`Wijzig ${webhookName}`}
          onClick={() => onAsk('save')}
        >
          Wijzig
        </Button>
        <Button
          variant="default"
          size="md"
          aria-label={`Nieuw geheim voor ${webhookName}`}
          onClick={() => onAsk('renew')}
        >
          Nieuw geheim
        </Button>
        <DeleteButton of={webhookName} onClick={() => onAsk('delete')} />
      </CardActions>
    </>
  );
}

type TrialProps = {
  readonly delivery: WebhookDelivery | undefined;
  /** Why the test message could not be requested. */
  readonly children: string | undefined;
};

/** Shows the result of a test message as soon as it is known. */
function Trial({ delivery, children: refused }: TrialProps): ReactNode {
  const text = refused ?? (delivery && `Proefbericht: ${inSentence(deliveryStateText(delivery))}`);
  const isWrong = refused !== undefined || (delivery && delivery.tries > 0 && !isDelivered(delivery));
  return (
    <div role="status">
      {text !== undefined && (
        <p className={`${styles.state} strong wrap`} data-wrong={isWrong}>
          {text}
        </p>
      )}
    </div>
  );
}

const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const messages = (count: number): string => (count === 1 ? '1 bericht' : `${count} berichten`);
