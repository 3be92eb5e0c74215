import type { FastifyInstance } from 'fastify';
import type { Database, Pool } from './database.ts';
import type { Jobs } from './jobs.ts';
import type { ModuleMetrics } from './metric.ts';
import type { Secrets } from './secrets.ts';
import type { ServeCall } from './serve.ts';
import type { Warn } from './warn.ts';

/** Dutch title and description of a group of calls. */
export type ApiTopic = { readonly title: string; readonly about: string };

/** Topics by the first part of the path after /api, in the order of the API page. */
export type ApiTopics = Readonly<Record<string, ApiTopic>>;

/** Work that runs every minute, in one process at a time. It is safe to repeat and to skip. `what` names it in warnings. */
export type PeriodicTask = readonly [what: string, work: (db: Database) => Promise<void>];

/** Unsubscribes people from one kind of mail, by the token in the mail's unsubscribe link. `isOf`: the token is of this kind of mail. */
export type OneClickUnsubscription = {
  isOf(token: string): boolean;
  /** Ends the subscription that the token names, and returns a message for the person. Safe to repeat. */
  end(token: string): Promise<string>;
  /** Returns the path of the page where people end the subscription. */
  page(token: string): string;
};

/** The shared parts of the portal that most services need. Statements of `db` have a time limit; `now` returns ms. */
export type SharedServices = {
  readonly pool: Pool;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly hasMailServer: boolean;
  readonly warn: Warn;
  readonly now: () => number;
};

/**
 * The services that a module opens, by name: jobs, timers, and data that is kept in memory.
 * @template Shared the shared parts of the portal that `open` needs
 */
export type ServiceOpener<Shared, Services extends object> = {
  /**
   * Opens the services. On shutdown, services with a method `close` are closed before the shared parts, in reverse order of
   * opening.
   */
  readonly open: (shared: Shared) => Services | Promise<Services>;
};

/** Periodic work that depends on settings or shared parts of the portal. */
export type WithPeriodicTasks<Shared> = {
  readonly periodicWith: (shared: Shared) => readonly PeriodicTask[];
};

/** The parts that most modules need. `now` returns the time in ms. */
type UsualParts = { readonly pool: Pool; readonly now: () => number };

/**
 * Everything that a module of the server provides, such as the calls and tasks of machines; modules.ts lists the modules.
 * @template Parts the parts of the running portal that the module needs
 */
export type Module<Caller, Parts = UsualParts> = {
  readonly topics?: ApiTopics;
  /** Registers the module's calls. */
  readonly routes?: (serve: ServeCall<Caller>, parts: Parts) => void;
  /** Registers calls whose bodies need a separate parser, in a separate Fastify scope. */
  readonly ownScope?: (app: FastifyInstance, serve: ServeCall<Caller>, parts: Parts) => void;
  /** Returns the object that unsubscribes people from the module's mails. */
  readonly oneClick?: (parts: Parts) => OneClickUnsubscription;
  readonly periodic?: readonly PeriodicTask[];
  /** Returns the module's metrics, for Prometheus. */
  readonly metrics?: (parts: Parts) => ModuleMetrics;
};
