import { ECDH, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import { type OutboundClient, OutboundError } from '#server/platform/outbound.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { PushRetryLater, type PushSender } from './push.ts';
import {
  expirePushDeliveries,
  listDevices,
  subscribeToPush,
  unsubscribeFromPush,
} from './push-devices.store.ts';

/** Maximum numbers of calls per account and quarter of an hour, because each call makes the portal send a request to another server. */
const MAX_TESTS = 10;
const MAX_SUBSCRIPTIONS = 30;

type PushParts = {
  readonly pool: Pool;
  readonly push: PushSender;
  readonly outbound: { readonly push: OutboundClient };
};

/** Registers the calls about devices that receive notifications (16.5). */
export const push: Module<Caller, PushParts> = {
  topics: {
    push: {
      title: 'Meldingen op een apparaat',
      about: 'Op welke telefoons en computers iemand meldingen krijgt (web push).',
    },
  },
  routes: (serve, { pool, push, outbound: { push: outbound } }) => {
    serve('GET /api/push/get', async ({ caller }) => ({
      publicKey: push.publicKey,
      devices: await listDevices(pool, caller),
    }));

    serve('POST /api/push/subscribe', async ({ caller, body, request }) => {
      if (!isPublicKey(body.keys.p256dh))
        throw invalidInputError('De sleutel van deze browser is onleesbaar.');
      await countAttempt(pool, [{ key: `push subscribe ${caller.accountId}`, tries: MAX_SUBSCRIPTIONS }]);
      await checkEndpoint(outbound, body.endpoint, request.log);
      await subscribeToPush(pool, caller, body);
      return { message: 'Je krijgt meldingen op dit apparaat, zolang je hier bent ingelogd.' };
    });

    serve('POST /api/push/unsubscribe', async ({ caller, body: { id } }) => {
      await unsubscribeFromPush(pool, caller, id);
      const where = id === caller.session.id ? 'dit apparaat' : 'dat apparaat';
      return { message: `Je krijgt geen meldingen meer op ${where}.` };
    });

    serve('POST /api/push/test', async ({ caller }) => {
      const sessionId = caller.session.id;
      const devices = await listDevices(pool, caller);
      if (!devices.some(({ isOwn }) => isOwn))
        throw notFound('Dit apparaat krijgt geen meldingen. Zet ze eerst aan.');
      await countAttempt(pool, [{ key: `push test ${caller.accountId}`, tries: MAX_TESTS }]);
      const received = await push
        .send(caller.accountId, testNotice(), { sessionId })
        .catch((error: unknown) => {
          if (error instanceof PushRetryLater)
            throw new ProblemError(
              'bad_gateway',
              'De meldingendienst van deze browser neemt nu niets aan. Probeer het later opnieuw.',
            );
          throw error;
        });
      if (received === 0)
        throw new ProblemError(
          'conflict',
          'De meldingendienst van deze browser neemt niets meer aan. Zet de meldingen uit en weer aan.',
        );
      return { message: 'De proefmelding is verstuurd.' };
    });
  },
  periodic: [['what devices took', expirePushDeliveries]],
};

/**
 * Returns a test notification. Each has its own id, so that it is delivered, and the same tag, so that it replaces the previous one
 * on the device.
 */
const testNotice = () => ({
  id: `test ${randomUUID()}`,
  title: 'Proefmelding',
  body: 'Zo komen meldingen op dit apparaat binnen.',
  path: '/account',
  tag: 'test',
  urgent: false,
});

/** Returns whether the key is a point of the curve that web push uses. */
function isPublicKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'uncompressed').length === 130;
  } catch {
    return false;
  }
}

/**
 * Checks that notifications may be sent to an endpoint. Answers the same for a private address and for an unknown name, so that the
 * answer does not disclose internal host names; the log says which it was.
 * @throws ProblemError 400
 */
async function checkEndpoint(
  outbound: OutboundClient,
  endpoint: string,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await outbound.check(endpoint);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.info({ reason: error.message }, "A browser's push service was refused");
    throw invalidInputError(
      'Adres van de meldingendienst: daar mag het portaal niet heen, of daar is niets te vinden.',
    );
  }
}
