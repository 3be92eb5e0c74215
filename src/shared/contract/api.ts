import { authApi } from './auth.ts';
import { backgroundTasksApi } from './background-tasks.ts';
import { healthApi } from './health.ts';
import { liveApi } from './live.ts';
import { mapLayersApi } from './map-layers.ts';

/** Every call of the portal, by "METHOD /path". The browser imports only this object's type (no zod there). */
export const api = { ...authApi, ...liveApi, ...mapLayersApi, ...healthApi, ...backgroundTasksApi } as const;
export type Api = typeof api;
export type ApiKey = keyof Api;
