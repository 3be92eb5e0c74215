import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { deviceCookie, oidcAttemptCookie, secondStepCookie, sessionCookie } from '#server/auth/cookies.ts';
import { openNotifyOwner } from '#server/auth/notify-owner.ts';
import { openPasskeys } from '#server/auth/passkeys.ts';
import { refusalEntryOf } from '#server/auth/refused-calls.ts';
import type { LinkIdentity } from '#server/auth/second-step.ts';
import { sessionVisitorOf } from '#server/auth/session-use.ts';
import { type Caller, hasSameRights, mustSetUpFactor } from '#server/auth/sessions.ts';
import { openStoredUnits } from '#server/definitions/stored-units.ts';
import { FILE_DOWNLOAD_LIMITS, type FileDownloadLimits } from '#server/machine-files/module.ts';
import { oneClickUnsubscribeRoutes } from '#server/mail/one-click.ts';
import { metricsRoutes } from '#server/metrics/metrics.routes.ts';
import { openMetrics } from '#server/metrics/metrics.ts';
import { assignRoute, openTraffic } from '#server/metrics/traffic.ts';
import { linkIdentity } from '#server/oidc/identities.store.ts';
import { freeSpace } from '#server/platform/free-space.ts';
import type { Module } from '#server/platform/module.ts';
import {
  addressUnconfirmedError,
  factorMissingError,
  notFound,
  passwordChangeRequired,
  registerErrorHandler,
  unauthenticated,
} from '#server/platform/problem.ts';
import { addSecurityHeaders, securityHeaders } from '#server/platform/security-headers.ts';
import { type CallerGate, createServeCall } from '#server/platform/serve.ts';
import { isCluster } from '#server/platform/shards.ts';
import { refuseSlowBodies } from '#server/platform/slow-body.ts';
import {
  answerMalformedHttp,
  answerTooManyHeaders,
  answerUndecodableUrl,
} from '#server/platform/unreadable.ts';
import { nextRequestId } from '#server/s3/exchange.ts';
import { isUpload } from '#server/s3/upload-endpoint.ts';
import { adoptReadings } from '#server/telemetry/adopt-readings.ts';
import { tileRoutes } from '#server/tiles/tiles.routes.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import { isAllowedByLimit } from '#shared/contract/limited-calls.ts';
import { refuseCostlyJson } from '#shared/domain/outside-json.ts';
import { remainingSetupTasksOf } from './config.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import { API_TOPICS, MODULES } from './modules.ts';
import type { Portal } from './portal.ts';
import { securityTxtRoutes } from './security-txt.routes.ts';
import { VERSION } from './version.ts';
import { webRoutes } from './web.routes.ts';

/**
 * Maximum size in bytes of the bodies of public calls and calls around signing in. A call that needs more has its own limit in the
 * contract.
 */
const PUBLIC_BODY_LIMIT = 16 * 1024;
const BODY_LIMIT = 1024 * 1024;
/** Longest path parameter: the token of an unsubscription. The contract validates each parameter further. */
const MAX_PARAMETER_CHARACTERS = 500;

/** Builds the application with every route. @param webFolder the built front end */
export async function buildApp(
  portal: Portal,
  webFolder: string,
  fileLimits: FileDownloadLimits = FILE_DOWNLOAD_LIMITS,
): Promise<FastifyInstance> {
  const { config, publicUrl, pools, pool, endpoint, sessions, tiles, now } = portal;
  const secure = config.PUBLIC_URL.startsWith('https:');
  const safe = await securityHeaders(secure);
  const session = sessionCookie(secure);
  const isEndpoints = (request: IncomingMessage) => isUpload(request, config.UPLOAD_BUCKET);
  const traffic = openTraffic();
  let http: HttpServer | undefined;
  const app: FastifyInstance = Fastify({
    loggerInstance: portal.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: nextRequestId,
    bodyLimit: PUBLIC_BODY_LIMIT,
    // Trusts the last address of X-Forwarded-For, which the reverse proxy appends; the visitor may have invented those before it.
    trustProxy: config.TRUST_PROXY && ((_address, hop) => hop === 0),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    // While the server closes, requests on open connections are still answered, and the connection then ends.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => answerUndecodableUrl(error, reply, safe),
    clientErrorHandler: (error, socket) => answerMalformedHttp(error, socket, safe),
    serverFactory: (handler) => {
      http = createHttpServer(endpoint, isEndpoints, handler, traffic, (response) =>
        answerTooManyHeaders(response, safe),
      );
      return http.server;
    },
  });
  app.addHook('preClose', async () => http?.beginClosing());

  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url !== undefined) assignRoute(reply.raw, traffic.meterOf(url));
    done();
  });
  registerErrorHandler(app);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  const parsePlain = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      refuseCostlyJson(body);
    } catch (error) {
      done(error as Error);
      return;
    }
    parsePlain(request, body, done);
  });
  await app.register(cookie);
  // Registered before the CORS plugin, so that the plugin's answers have these headers too.
  addSecurityHeaders(app, safe);
  await app.register(cors, {
    origin: config.ALLOWED_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    credentials: true,
    // Also answers an OPTIONS request that is no CORS preflight with 204, because the plugin's own refusal is plain text.
    strictPreflight: false,
  });
  refuseSlowBodies(app);
  // This hook runs after those that set headers. It answers requests without a route before their body is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw notFound();
  });

  const callerOf = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const token = session.read(request);
    return token === undefined ? undefined : sessions.find(token, sessionVisitorOf(request));
  };
  const gate: CallerGate<Caller> = {
    callerOf,
    bodyLimitOf: (path, access) =>
      access === 'public' || path.startsWith('/api/auth/') ? PUBLIC_BODY_LIMIT : BODY_LIMIT,
    may: ({ scope }, action) => scope.actions.has(action),
    isServed: ({ limit }, key) => isAllowedByLimit(limit, key),
    mustChangePassword: (caller) => caller.mustChangePassword,
    inLog: ({ accountId, organizationId, email }) => ({ accountId, organizationId, email }),
    refused(who, call, problem, body) {
      const refusal = refusalEntryOf(call, problem, body);
      if (refusal)
        portal.refusals.note({
          ...refusal,
          who,
          accountId: refusal.accountId ?? who.caller?.accountId,
          call,
        });
    },
    lacksFactor: mustSetUpFactor,
    mustConfirm: (caller) => caller.mustConfirm,
    isReauthenticated: ({ session }) => session.isReauthenticated,
    readAgain: (db, { session: { id } }) => sessions.readAgain(db, id),
    isUnchanged: hasSameRights,
    allowedOrigins: new Set([new URL(config.PUBLIC_URL).origin, ...config.ALLOWED_ORIGINS]),
  };
  const serve = createServeCall(app, gate);
  const signingIn = {
    ...portal,
    session,
    device: deviceCookie(secure),
    step: secondStepCookie(secure),
    attempt: oidcAttemptCookie(secure),
    passkeys: openPasskeys(publicUrl),
  };
  const notifyOwner = openNotifyOwner(signingIn);
  const parts = {
    ...signingIn,
    graceDays: config.DELETED_DAYS,
    factorSetting: config.REQUIRE_SECOND_FACTOR,
    lacksMailServer: remainingSetupTasksOf(config, true).includes('mail'),
    portalTasks: async () => remainingSetupTasksOf(config, await isCluster(pool)),
    linkIdentity: ((accountId, identity) =>
      linkIdentity(pool, accountId, identity, notifyOwner)) satisfies LinkIdentity,
    settings: configSettings(config),
    fileLimits,
    unitsOf: openStoredUnits(pool),
    adoptReadings: (serial: string, id: number, actor: string) =>
      adoptReadings(portal.telemetry, serial, id, actor),
    attributions: { street: config.STREET_TILES_ATTRIBUTION, satellite: config.SATELLITE_TILES_ATTRIBUTION },
    documented: { url: publicUrl, version: VERSION, cookie: session.name, topics: API_TOPICS },
  };
  const modules: readonly Module<Caller, typeof parts>[] = MODULES;
  for (const { routes, ownScope } of modules) {
    routes?.(serve, parts);
    if (ownScope)
      await app.register(async (scoped) => ownScope(scoped, createServeCall(scoped, gate), parts));
  }
  await app.register(async (mails) =>
    oneClickUnsubscribeRoutes(
      mails,
      createServeCall(mails, gate),
      modules.flatMap(({ oneClick }) => oneClick?.(parts) ?? []),
      publicUrl,
    ),
  );
  const metrics = openMetrics(
    { version: VERSION, pools, traffic, space: () => freeSpace(config.DATA_DIR) },
    modules.flatMap(({ metrics }) => metrics?.(parts) ?? []),
  );
  metricsRoutes(app, gate, metrics, config.METRICS_TOKEN);
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', async (request) => {
      const visitor = await callerOf(request);
      if (!visitor) /*rule:gate-tiles-session*/ throw unauthenticated(); /*=return;*/
      if (visitor.mustChangePassword) throw passwordChangeRequired();
      if (mustSetUpFactor(visitor)) throw factorMissingError();
      if (visitor.mustConfirm) throw addressUnconfirmedError();
    });
    tileRoutes(signedIn, tiles);
  });
  securityTxtRoutes(app, { contact: config.SECURITY_CONTACT, publicUrl, now });
  await webRoutes(app, webFolder);
  return app;
}
