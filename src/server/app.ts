import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { accountRoutes } from '#server/account/account.routes.ts';
import { alertOneClick, alertRoutes } from '#server/alerts/alerts.routes.ts';
import { apiDocsRoutes } from '#server/api-docs/api-docs.routes.ts';
import { applicantRoutes } from '#server/applicants/applicants.routes.ts';
import { authRoutes } from '#server/auth/auth.routes.ts';
import { confirmAddressRoutes } from '#server/auth/confirm-address.routes.ts';
import { attemptCookie, deviceCookie, sessionCookie, stepCookie } from '#server/auth/cookies.ts';
import { factorRoutes } from '#server/auth/factors.routes.ts';
import { openNotifyOwner } from '#server/auth/notify-owner.ts';
import { openPasskeys } from '#server/auth/passkeys.ts';
import { passwordRoutes } from '#server/auth/password.routes.ts';
import { refusalOf } from '#server/auth/refused-calls.ts';
import { visitorOf } from '#server/auth/session-use.ts';
import { type Caller, hasSameRights, lacksFactor } from '#server/auth/sessions.ts';
import { backgroundTaskRoutes } from '#server/background-tasks/background-tasks.routes.ts';
import { chargingSessionRoutes } from '#server/charging-sessions/charging-sessions.routes.ts';
import { chargingTariffRoutes } from '#server/charging-tariffs/tariffs.routes.ts';
import { closedWeekRoutes } from '#server/closed-weeks/closed-weeks.routes.ts';
import { compareRoutes } from '#server/compare/compare.routes.ts';
import { contactRoutes } from '#server/contacts/contacts.routes.ts';
import { dayFigureRoutes } from '#server/day-figures/day-figures.routes.ts';
import { definitionRoutes } from '#server/definitions/definitions.routes.ts';
import { openStoredUnits } from '#server/definitions/stored-units.ts';
import { faultCodeRoutes } from '#server/fault-codes/fault-codes.routes.ts';
import { fleetFigureRoutes } from '#server/fleet-figures/fleet-figures.routes.ts';
import { fleetMaintenanceRoutes } from '#server/fleet-maintenance/fleet-maintenance.routes.ts';
import { healthRoutes } from '#server/health/health.routes.ts';
import { portalTaskRoutes } from '#server/health/portal-tasks.routes.ts';
import { historyRoutes } from '#server/history/history.routes.ts';
import { invitationRoutes } from '#server/invitations/invitations.routes.ts';
import { labelRoutes } from '#server/labels/labels.routes.ts';
import { leavingRoutes } from '#server/leaving/leaving.routes.ts';
import { liveRoutes } from '#server/live/live.routes.ts';
import { lmbLoggerRoutes } from '#server/lmb-loggers/lmb-loggers.routes.ts';
import { logFileRoutes } from '#server/log-files/log-files.routes.ts';
import { logbookRoutes } from '#server/logbook/logbook.routes.ts';
import {
  FILE_LIMITS,
  type FileLimits,
  machineFilesRoutes,
} from '#server/machine-files/machine-files.routes.ts';
import { machineRoutes } from '#server/machines/machines.routes.ts';
import { oneClickRoutes } from '#server/mail/one-click.ts';
import { maintenanceRoutes } from '#server/maintenance/maintenance.routes.ts';
import { metricsRoutes } from '#server/metrics/metrics.routes.ts';
import { assignRoute } from '#server/metrics/traffic.ts';
import { linkIdentity } from '#server/oidc/identities.store.ts';
import { oidcSettingsRoutes } from '#server/oidc/settings.routes.ts';
import { oidcSignInRoutes } from '#server/oidc/sign-in.routes.ts';
import { organizationRoutes } from '#server/organizations/organizations.routes.ts';
import {
  addressUnconfirmed,
  answerProblems,
  factorMissing,
  notFound,
  passwordChangeRequired,
  unauthenticated,
} from '#server/platform/problem.ts';
import { addSecurityHeaders, securityHeaders } from '#server/platform/security-headers.ts';
import { type Gate, openServe } from '#server/platform/serve.ts';
import { isCluster } from '#server/platform/shards.ts';
import { refuseSlowBodies } from '#server/platform/slow-body.ts';
import { answerBadAddress, answerMalformed, answerTooManyHeaders } from '#server/platform/unreadable.ts';
import { projectRoutes } from '#server/projects/projects.routes.ts';
import { pushRoutes } from '#server/push/push.routes.ts';
import { redecodingRoutes } from '#server/redecoding/redecoding.routes.ts';
import { reportFactorRoutes } from '#server/report-factors/factors.routes.ts';
import { reportMailRoutes, reportOneClick } from '#server/report-mails/report-mails.routes.ts';
import { reportRoutes } from '#server/reports/reports.routes.ts';
import { nextRequestId } from '#server/s3/exchange.ts';
import { isUpload } from '#server/s3/upload-endpoint.ts';
import { chargingOneClick, subscriptionRoutes } from '#server/subscriptions/subscriptions.routes.ts';
import { adoptReadings } from '#server/telemetry/adopt-readings.ts';
import { terreinRoutes } from '#server/terreinen/terreinen.routes.ts';
import { tileRoutes } from '#server/tiles/tiles.routes.ts';
import { BUILT_IN_ATTRIBUTION, type TileOrigin } from '#server/tiles/tiles.ts';
import { userRoutes } from '#server/users/users.routes.ts';
import { webhookRoutes } from '#server/webhooks/webhooks.routes.ts';
import { workWeekRoutes } from '#server/work-weeks/work-weeks.routes.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import { writerRoutes } from '#server/writers/writers.routes.ts';
import { isServedWithin } from '#shared/contract/limited-calls.ts';
import { refuseCostlyJson } from '#shared/domain/outside-json.ts';
import { tasksOf } from './config.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import type { Portal } from './portal.ts';
import { securityTxtRoutes } from './security-txt.routes.ts';
import { VERSION } from './version.ts';
import { webRoutes } from './web.routes.ts';

/** Limit in bytes of bodies of public calls and calls around signing in; a call that needs more has its own limit in the contract. */
const PUBLIC_BODY_LIMIT = 16 * 1024;
const BODY_LIMIT = 1024 * 1024;
/** Longest path parameter: the token of an unsubscription. The contract validates each parameter further. */
const LONGEST_PARAMETER = 500;

/** Builds the application with every route. @param webFolder the built front end */
export async function buildApp(
  portal: Portal,
  webFolder: string,
  fileLimits: FileLimits = FILE_LIMITS,
): Promise<FastifyInstance> {
  const { config, pools, endpoint, sessions, image, tiles, metrics, now } = portal;
  const pool = pools.pages;
  const secure = config.PUBLIC_URL.startsWith('https:');
  const safe = await securityHeaders(secure);
  const session = sessionCookie(secure);
  const isEndpoints = (request: IncomingMessage) => isUpload(request, config.UPLOAD_BUCKET);
  let http: HttpServer | undefined;
  const app: FastifyInstance = Fastify({
    loggerInstance: portal.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: nextRequestId,
    bodyLimit: PUBLIC_BODY_LIMIT,
    // Trusts the last address of X-Forwarded-For, which the reverse proxy appends; the visitor may have invented those before it.
    trustProxy: config.TRUST_PROXY && ((_address, hop) => hop === 0),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    // While the server closes, requests on open connections are still answered, and the connection then ends.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => answerBadAddress(error, reply, safe),
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, safe),
    serverFactory: (handler) => {
      http = createHttpServer(endpoint, isEndpoints, handler, metrics.traffic, (response) =>
        answerTooManyHeaders(response, safe),
      );
      return http.server;
    },
  });
  app.addHook('preClose', async () => http?.beginClosing());

  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (url !== undefined) assignRoute(reply.raw, metrics.traffic.meterOf(url));
    done();
  });
  answerProblems(app);
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
  // Registered before the CORS plugin, so that its answers have these headers too.
  addSecurityHeaders(app, safe);
  await app.register(cors, {
    origin: config.ALLOWED_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    credentials: true,
    // Answers OPTIONS without a preflight with 204 too, because the plugin's own refusal is plain text.
    strictPreflight: false,
  });
  refuseSlowBodies(app);
  // This hook runs after those that set headers. It answers requests without a route before their body is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw notFound();
  });

  const callerOf = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const token = session.read(request);
    return token === undefined ? undefined : sessions.find(token, visitorOf(request));
  };
  const gate: Gate<Caller> = {
    callerOf,
    bodyLimitOf: (path, access) =>
      access === 'public' || path.startsWith('/api/auth/') ? PUBLIC_BODY_LIMIT : BODY_LIMIT,
    may: ({ scope }, action) => scope.actions.has(action),
    isServed: ({ limit }, key) => isServedWithin(limit, key),
    mustChangePassword: (caller) => caller.mustChangePassword,
    inLog: ({ accountId, organizationId, email }) => ({ accountId, organizationId, email }),
    refused(who, call, problem, body) {
      const refusal = refusalOf(call, problem, body);
      if (refusal)
        portal.refusals.note({
          ...refusal,
          who,
          accountId: refusal.accountId ?? who.caller?.accountId,
          call,
        });
    },
    lacksFactor,
    mustConfirm: (caller) => caller.mustConfirm,
    isReauthenticated: ({ session }) => session.isReauthenticated,
    readAgain: (db, { session: { id } }) => sessions.readAgain(db, id),
    isUnchanged: hasSameRights,
    allowedOrigins: new Set([new URL(config.PUBLIC_URL).origin, ...config.ALLOWED_ORIGINS]),
  };
  const serve = openServe(app, gate);
  const { secrets, quotas, mail, confirmation } = portal;
  const publicUrl = config.PUBLIC_URL;
  const signingIn = {
    pool,
    sessions,
    session,
    device: deviceCookie(secure),
    step: stepCookie(secure),
    secrets,
    mail,
    passkeys: openPasskeys(publicUrl),
    publicUrl,
    now,
  };
  const notifyOwner = openNotifyOwner(signingIn);
  authRoutes(serve, {
    ...signingIn,
    resets: portal.resets,
    refusals: portal.refusals,
    confirmation,
    hasMailServer: config.SMTP_URL !== undefined,
    lacksMailServer: tasksOf(config, true).includes('mail'),
    linkIdentity: (accountId, identity) => linkIdentity(pool, accountId, identity, notifyOwner),
  });
  confirmAddressRoutes(serve, pool, confirmation);
  passwordRoutes(serve, { ...signingIn, dataDir: config.DATA_DIR });
  factorRoutes(serve, signingIn);
  const oidc = { ...signingIn, oidc: portal.oidc, attempt: attemptCookie(secure), refusals: portal.refusals };
  oidcSignInRoutes(serve, oidc);
  oidcSettingsRoutes(serve, oidc);
  organizationRoutes(serve, pool, config.REQUIRE_SECOND_FACTOR);
  leavingRoutes(serve, pool, config.DELETED_DAYS, now);
  workWeekRoutes(serve, pool, now);
  contactRoutes(serve, pool, now);
  userRoutes(serve, { pool, secrets, mail, publicUrl, confirmation, resets: portal.resets });
  const unitsOf = openStoredUnits(pool);
  projectRoutes(serve, { pool, recomputations: portal.recomputations }, now);
  terreinRoutes(serve, { pool, recomputations: portal.recomputations }, now);
  reportRoutes(serve, { pool, files: portal.reportThread, unitsOf }, now);
  reportFactorRoutes(serve, pool);
  chargingTariffRoutes(serve, pool);
  reportMailRoutes(serve, pool, now);
  invitationRoutes(serve, { pool, secrets, mails: portal.invitationMails });
  applicantRoutes(serve, { pool, secrets, mail, confirmation, publicUrl });
  accountRoutes(serve, signingIn);
  liveRoutes(serve, image);
  historyRoutes(serve, pool, now, unitsOf);
  chargingSessionRoutes(serve, pool, now);
  dayFigureRoutes(serve, pool, now);
  fleetFigureRoutes(serve, pool, now);
  compareRoutes(serve, pool, now);
  healthRoutes(serve, portal.health, portal.healthWarnings, image, now);
  portalTaskRoutes(serve, { db: pool, publicUrl, tasks: async () => tasksOf(config, await isCluster(pool)) });
  metricsRoutes(app, gate, metrics, config.METRICS_TOKEN);
  backgroundTaskRoutes(serve, pool);
  machineRoutes(serve, pool, config.DELETED_DAYS, now);
  labelRoutes(serve, pool);
  maintenanceRoutes(serve, pool, now);
  fleetMaintenanceRoutes(serve, pool, now);
  faultCodeRoutes(serve, pool, now);
  writerRoutes(serve, {
    pool,
    secrets,
    settings: configSettings(config),
    quotas,
    now,
    adoptReadings: (...what) => adoptReadings(portal.telemetry, ...what),
  });
  definitionRoutes(serve, pool);
  redecodingRoutes(serve, pool, portal.redecodings, portal.erasures);
  closedWeekRoutes(serve, pools, portal.reportThread);
  await app.register(async (bytes) =>
    logFileRoutes(bytes, openServe(bytes, gate), pools, {
      telemetry: portal.telemetry,
      spoolDirectory: portal.spoolDirectory,
    }),
  );
  machineFilesRoutes(serve, pools, fileLimits);
  lmbLoggerRoutes(serve, { pool, secrets: portal.secrets, graceDays: config.DELETED_DAYS, now });
  subscriptionRoutes(serve, pool);
  pushRoutes(serve, { pool, push: portal.push, outbound: portal.outbound.push });
  webhookRoutes(serve, {
    pool,
    outbound: portal.outbound.webhooks,
    secrets,
    webhooks: portal.webhooks,
    log: portal.log,
    now,
  });
  alertRoutes(serve, pool, now);
  logbookRoutes(serve, pool);
  await app.register(async (mails) =>
    oneClickRoutes(
      mails,
      openServe(mails, gate),
      [reportOneClick(pool, secrets), alertOneClick(pool, secrets), chargingOneClick(pool, secrets)],
      config.PUBLIC_URL,
    ),
  );
  apiDocsRoutes(serve, { url: config.PUBLIC_URL, version: VERSION, cookie: session.name });
  serve('GET /api/map/layers', async () => {
    const { street, satellite } = await tiles.status();
    const layer = (source: TileOrigin, attribution: string) => ({
      source,
      attribution: source === 'upstream' ? attribution : BUILT_IN_ATTRIBUTION,
    });
    return {
      street: layer(street, config.STREET_TILES_ATTRIBUTION),
      satellite: layer(satellite, config.SATELLITE_TILES_ATTRIBUTION),
    };
  });
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', async (request) => {
      const visitor = await callerOf(request);
      if (!visitor) /*rule:gate-tiles-session*/ throw unauthenticated(); /*=return;*/
      if (visitor.mustChangePassword) throw passwordChangeRequired();
      if (lacksFactor(visitor)) throw factorMissing();
      if (visitor.mustConfirm) throw addressUnconfirmed();
    });
    tileRoutes(signedIn, tiles);
  });
  securityTxtRoutes(app, { contact: config.SECURITY_CONTACT, publicUrl: config.PUBLIC_URL, now });
  await webRoutes(app, webFolder);
  return app;
}
