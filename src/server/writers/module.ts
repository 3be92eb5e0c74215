import type { Caller } from '#server/auth/sessions.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { samplesByName, storedMetrics } from '#server/platform/metric.ts';
import type { Module } from '#server/platform/module.ts';
import { ProblemError, requireValid } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { currentWriter, requireWriter } from '#server/streams/current-writer.ts';
import {
  findReferenceMachine,
  findStreamRow,
  lockStream,
  type StreamRow,
} from '#server/streams/find-stream.ts';
import { checkLoggerSerial, type LoggerKind } from '#shared/domain/identifiers.ts';
import { alreadyBoundError, bindLogger, lockLoggerMove } from './bind-logger.ts';
import { downloadConfig, makeConfig, missingForConfig } from './configuration.ts';
import {
  type ConfigSettings,
  findOutdatedLoggerAddresses,
  findSettingsChange,
} from './configuration-settings.ts';
import { takeBackLogger } from './former-loggers.ts';
import { createKey, keysToReplace, withdrawOtherKeys } from './keys.store.ts';
import { largestQuotaShares, quotaNoticesOf, readNearlyUsedQuotas } from './log-quota-notices.ts';
import type { LogQuotas } from './log-quotas.ts';
import { healthFacts } from './logger-health.ts';
import { networkView, setNetwork } from './network.store.ts';
import { CANEDGE_SETTINGS_HINT } from './new-settings.ts';
import { deleteUnknownKeys, unknownKeys } from './unknown-keys.store.ts';
import { releaseWriter } from './writers.store.ts';

/** Dependencies of the calls about a logger. */
export type WriterDependencies = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly settings: ConfigSettings;
  readonly quotas: LogQuotas;
  readonly now: () => number;
  /**
   * Stores the quarantined readings of an upload in the history (telemetry/adopt-readings.ts).
   * @returns the result, in Dutch
   */
  readonly adoptReadings: (serial: string, id: number, actor: string) => Promise<string>;
};

/** Serves the calls about the ReXgen or CANedge that reports for a machine or as LMB logger, and about its configuration (API-01, Machines). */
export const writers: Module<Caller, WriterDependencies> = {
  routes: (serve, { pool, secrets, settings, quotas, now, adoptReadings }) => {
    const clock = () => new Date(now());
    /** Runs a change (`work`) with the stream locked, and writes an entry about the result to the audit log. */
    const change = (
      serial: string,
      actor: string,
      action: AuditEntry['action'],
      work: (
        client: Transaction,
        stream: StreamRow,
      ) => Promise<Pick<AuditEntry, 'data' | 'aside' | 'before' | 'after'> | undefined>,
    ): Promise<void> =>
      inTransaction(pool, async (client) => {
        const stream = await lockStream(client, serial);
        const entry = await work(client, stream);
        if (entry)
          await audit(client, { actor, action, subject: stream.serial, streamId: stream.id, ...entry });
      });

    serve('GET /api/machine/writer/create', async ({ query, caller }) => {
      const loggerSerial = requireValid(checkLoggerSerial(query.influxserienummer, query.logger_kind));
      await change(
        query.serienummer,
        caller.email,
        'writer.create',
        async (client, { id: streamId, serial }) => {
          const reference = await findReferenceMachine(client, query.dbcserienummer, serial);
          const bound = {
            streamId,
            loggerSerial,
            referenceStreamId: reference?.id,
            at: clock(),
            actor: caller.email,
          };
          const before = await loggerOf(client, streamId);
          if (!(await bindLogger(client, bound))) return undefined;
          if (reference)
            await client.query('update machine set reference_stream_id = $2 where stream_id = $1', [
              streamId,
              reference.id,
            ]);
          const aside = reference ? { reference: reference.serial } : {};
          return { data: {}, aside, before, after: { logger: loggerSerial } };
        },
      );
      return { message: `Logger ${loggerSerial} is gekoppeld.` };
    });

    /**
     * Binds a logger to a stream: to one without a logger, or in place of its present logger (`replaces`). The logger may be taken from the
     * stream `from`.
     */
    const bindInPlace = async (
      caller: Caller,
      body: {
        serial: string;
        influx_serial: string;
        logger_kind: LoggerKind;
        from?: string | undefined;
        replaces?: string;
      },
    ): Promise<string> => {
      const { from, replaces } = body;
      const loggerSerial = requireValid(checkLoggerSerial(body.influx_serial, body.logger_kind));
      if (loggerSerial === replaces)
        throw new ProblemError(
          'invalid',
          'Dat is de logger die er al is. Vul het serienummer van de nieuwe logger in.',
        );
      const actor = caller.email;
      await inTransaction(pool, async (client) => {
        const moved = await lockLoggerMove(client, from, body.serial);
        const { id: streamId, serial } = await lockStream(client, body.serial);
        const before = await loggerOf(client, streamId);
        const bind = {
          streamId,
          loggerSerial,
          referenceStreamId: undefined,
          at: clock(),
          actor,
          from,
          replaces,
        };
        if (!(await bindLogger(client, bind))) return;
        await moved?.audit(actor, loggerSerial, serial);
        const entry = { actor, action: 'writer.create', subject: serial, streamId, data: {} } as const;
        await audit(client, { ...entry, before, after: { logger: loggerSerial } });
      });
      return loggerSerial;
    };

    serve('POST /api/machine/writer/move', async ({ body, caller }) => {
      const loggerSerial = await bindInPlace(caller, body);
      return { message: `Logger ${loggerSerial} is hierheen verplaatst.` };
    });

    serve('POST /api/machine/writer/replace', async ({ body, caller }) => {
      const loggerSerial = await bindInPlace(caller, body);
      return {
        message: `Logger ${loggerSerial} vervangt logger ${body.replaces}. ${body.logger_kind === 'canedge' ? CANEDGE_SETTINGS_HINT : 'Maak en laad een configuratiebestand voor hem.'}`,
      };
    });

    serve('POST /api/machine/writer/take-back', async ({ body, caller }) => ({
      message: await inTransaction(pool, async (client) => {
        const { id: streamId, serial } = await lockStream(client, body.serial);
        return takeBackLogger(client, { streamId, serial, id: body.id, at: clock(), actor: caller.email });
      }),
    }));

    serve('POST /api/machine/writer/release', async ({ body, caller }) => {
      await change(body.serial, caller.email, 'writer.release', async (client, { id }) => {
        const { loggerSerial } = await requireWriter(client, id);
        if (body.influx_serial !== undefined && body.influx_serial !== loggerSerial)
          throw alreadyBoundError(loggerSerial);
        await releaseWriter(client, id, clock());
        return { data: {}, before: { logger: loggerSerial } };
      });
      return { message: 'De logger is losgekoppeld.' };
    });

    serve('POST /api/machine/writer/key', async ({ body, caller }) => {
      let ofCanedge = false;
      await change(body.serial, caller.email, 'writer.key', async (client, { id }) => {
        const { id: writerId, kind } = await requireWriter(client, id);
        ofCanedge = kind === 'canedge';
        // Creates the new key before it withdraws others, so that the transaction locks the change counter before any key, the order in
        // sql/note-key-use.sql.
        const { accessKey } = await createKey(client, secrets, writerId);
        if (body.withdraw) await withdrawOtherKeys(client, writerId, accessKey);
        return { data: { accessKey, withdrawn: body.withdraw ?? false } };
      });
      const withdrawn = body.withdraw ? ' De oude sleutel wordt geweigerd.' : '';
      return {
        message: `De logger heeft een nieuwe sleutel.${withdrawn} ${ofCanedge ? CANEDGE_SETTINGS_HINT : 'Maak en laad een nieuw configuratiebestand.'}`,
      };
    });

    serve('POST /api/machine/writer/take-over', async ({ body, caller }) => ({
      message: await adoptReadings(body.serial, body.id, caller.email),
    }));

    serve('GET /api/machine/writer/health/:serial', async ({ params }) => {
      const stream = await findStreamRow(pool, params.serial);
      const facts = await healthFacts(pool, stream.id, clock());
      const { isChanged, oldAddress } = await findSettingsChange(pool, settings, stream.id);
      const config = {
        ...facts.config,
        outdated: facts.config.outdated || isChanged,
        oldAddress: oldAddress ?? null,
      };
      return {
        ...facts,
        config,
        quotaNotices: quotaNoticesOf(
          await readNearlyUsedQuotas(pool, quotas, now()),
          stream.organizationId,
          facts.loggerId,
        ),
        network: await networkView(pool, stream.id),
        ...(await missingForConfig(pool, secrets, settings, stream)),
      };
    });

    serve('GET /api/machine/writer/unknown', () => unknownKeys(pool));

    serve('GET /api/machine/writer/keys-to-replace', () => keysToReplace(pool));

    serve('GET /api/machine/writer/old-addresses', () =>
      findOutdatedLoggerAddresses(pool, settings.publicUrl),
    );

    serve('POST /api/machine/writer/network', ({ body, caller }) =>
      inTransaction(pool, async (client) => {
        const stream = await lockStream(client, body.serial);
        const before = await networkView(client, stream.id);
        const view = await setNetwork(client, secrets, stream.id, body);
        // Logs new secrets as flags, because `before` and `view` contain no secrets and do not differ when a secret is replaced.
        const data = { newSimPin: Boolean(body.simPin), newWifiPassword: Boolean(body.wifiPassword) };
        const entry = { actor: caller.email, action: 'writer.network', subject: stream.serial } as const;
        await audit(client, { ...entry, streamId: stream.id, data, before, after: view });
        return view;
      }),
    );

    serve('GET /api/machine/config/create', async ({ query, caller }) => {
      const { kind, warnings } = await inTransaction(pool, async (client) => {
        const stream = await lockStream(client, query.serienummer);
        return makeConfig(client, secrets, settings, stream, { actor: caller.email, at: clock() });
      });
      const made =
        kind === 'canedge' ? 'De instellingen zijn gemaakt.' : 'Het configuratiebestand is gemaakt.';
      return { message: [made, ...warnings].join(' ') };
    });

    serve('GET /api/machine/config/download', async ({ query, caller, reply }) => {
      const { kind, text } = await inTransaction(pool, async (client) => {
        const stream = await lockStream(client, query.serienummer);
        return downloadConfig(client, secrets, stream, { actor: caller.email, at: clock() });
      });
      const [media, name] =
        kind === 'canedge' ? ['application/json', 'canedge-s3.json'] : ['application/xml', 'config.xml'];
      return reply
        .header('content-type', `${media}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Buffer.from(text));
    });
  },
  periodic: [['unknown keys beyond the newest', deleteUnknownKeys]],
  metrics: ({ quotas, now }) => ({
    stored: [
      storedMetrics(
        (db) => largestQuotaShares(db, quotas, now()),
        [
          {
            name: 'werkstroom_log_quota_used_ratio',
            help: 'The largest share that is used of a quota of log files: of one key today, and of one organization.',
            type: 'gauge',
            samples: (shares) => samplesByName('quota', shares),
          },
        ],
      ),
    ],
  }),
};

/** Returns the present logger of a stream, for the log entry; call it before the logger changes. */
const loggerOf = async (client: Transaction, streamId: number) => ({
  logger: (await currentWriter(client, streamId))?.loggerSerial,
});
