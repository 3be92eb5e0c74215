import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookDelivery } from '#shared/contract/webhooks.ts';
import { dateAndSecond, formatNumber } from '#shared/domain/nl.ts';
import { deliveryText, eventTypeText, isDelivered } from '#shared/domain/webhooks.ts';
import { failureText } from '#web/lib/api.ts';
import { useChange } from '#web/queries/use-change.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './webhooks-page.module.css';

/** The sent messages, the newest first. Each expands to its content and result, and can be sent again. */
export function DeliveryLog({ log }: { readonly log: readonly WebhookDelivery[] }): ReactNode {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries" className="mt-8 mb-1">
        Verstuurd
      </h2>
      {log.length === 0 ? (
        <EmptyState title="Nog niets verstuurd" />
      ) : (
        <>
          <p className="mb-3 quiet">De laatste 100 berichten van de laatste 30 dagen.</p>
          <ol className={`${styles.log} surface clip`} aria-labelledby="deliveries">
            {log.map((delivery) => (
              <li key={delivery._id}>
                <Delivery delivery={delivery} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }): ReactNode {
  const { _id, webhookName, type, askedAt, event, body, tries, triedAt, took, nextTryAt } = delivery;
  const { mutate: resend, isPending, error } = useChange('POST /api/webhook/resend');
  return (
    <details>
      <summary>
        <time className="quiet" dateTime={askedAt}>
          {moment(askedAt)}
        </time>
        <span>
          <strong>{eventTypeText(type)}</strong> naar {webhookName}
        </span>
        <span className={`${styles.state} strong wrap`} data-wrong={tries > 0 && !isDelivered(delivery)}>
          {deliveryStateText(delivery)}
        </span>
      </summary>
      <div className={`${styles.opened} stack pt-1 pb-3 px-4`}>
        <dl className="beside gap-2-4">
          <dt>Pogingen</dt>
          <dd>{formatNumber(tries)}</dd>
          {triedAt !== null && (
            <>
              <dt>Laatste poging</dt>
              <dd>
                {moment(triedAt)}
                {took !== null && ` (${formatNumber(took)} ms)`}
              </dd>
            </>
          )}
          {nextTryAt !== null && (
            <>
              <dt>Volgende poging</dt>
              <dd>{moment(nextTryAt)}</dd>
            </>
          )}
          <dt>webhook-id</dt>
          <dd>{event}</dd>
        </dl>
        <pre>{body}</pre>
        <FailureAlert>
          {error
            ? failureText(error, 'Het bericht is niet opnieuw verstuurd. Probeer het nog eens.')
            : undefined}
        </FailureAlert>
        <div>
          <Button
            variant="default"
            size="md"
            aria-disabled={isPending || undefined}
            onClick={() => isPending || resend({ body: { _id } })}
          >
            Stuur opnieuw
          </Button>
        </div>
      </div>
    </details>
  );
}

const moment = (at: string): string => dateAndSecond(Date.parse(at));

/** Returns the result of sending a message to a webhook, as text. */
export const deliveryStateText = (delivery: WebhookDelivery): string =>
  deliveryText({ ...delivery, isWaiting: delivery.nextTryAt !== null });
