import { createServer } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { authRoutes, sessionCookie } from '#server/auth/auth.routes.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { backgroundTaskRoutes } from '#server/background-tasks/background-tasks.routes.ts';
import { isForDoor } from '#server/door/door.ts';
import { healthRoutes } from '#server/health/health.routes.ts';
import { liveRoutes } from '#server/live/live.routes.ts';
import { answerProblems, notFound, unauthenticated } from '#server/platform/problem.ts';
import { openServe } from '#server/platform/serve.ts';
import { tileRoutes } from '#server/tiles/tiles.routes.ts';
import { BUILT_IN_ATTRIBUTION, type TileOrigin } from '#server/tiles/tiles.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import type { Portal } from './portal.ts';
import { webRoutes } from './web.routes.ts';

const BODY_LIMIT = 1024 * 1024;

/** The application: every route, nothing of the process. `webFolder`: the built front end. */
export async function buildApp(portal: Portal, webFolder: string): Promise<FastifyInstance> {
  const { config, pool, door, sessions, image, tiles, now } = portal;
  const secure = config.PUBLIC_URL.startsWith('https:');
  const app: FastifyInstance = Fastify({
    loggerInstance: portal.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: config.TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true },
    // The upload door speaks S3 on the same port and is asked first; it needs nothing of Fastify.
    serverFactory: (handler) => {
      const server = createServer((request, response) => {
        if (isForDoor(request, config.UPLOAD_BUCKET)) door.handle(request, response);
        else handler(request, response);
      });
      // A log file over a mobile network takes its time; the door has limits of its own for bodies that stall.
      server.requestTimeout = 3_600_000;
      server.on('checkContinue', (request, response) => {
        if (isForDoor(request, config.UPLOAD_BUCKET)) return door.handleExpectContinue(request, response);
        response.writeContinue();
        handler(request, response);
      });
      return server;
    },
  });

  answerProblems(app);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  await app.register(cookie);
  await app.register(cors, { origin: config.ALLOWED_ORIGINS, credentials: true });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"], // Mantine and Leaflet set style attributes
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });

  const session = sessionCookie(secure);
  const callerOf = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const token = session.read(request);
    return token === undefined ? undefined : sessions.find(token);
  };
  const serve = openServe<Caller>(app, {
    callerOf,
    isAdministrator: ({ organization }) => organization === ADMIN_ORGANIZATION,
    allowedOrigins: new Set([new URL(config.PUBLIC_URL).origin, ...config.ALLOWED_ORIGINS]),
  });
  authRoutes(serve, pool, sessions, session);
  liveRoutes(serve, image);
  healthRoutes(serve, pool, image, now);
  backgroundTaskRoutes(serve, pool);
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
      if (!(await callerOf(request))) throw unauthenticated();
    });
    tileRoutes(signedIn, tiles);
  });
  await webRoutes(app, webFolder);
  return app;
}
