import type { Caller } from '#server/auth/sessions.ts';
import type { Serve } from '#server/platform/serve.ts';
import { openApi, type Portal } from './openapi.ts';
import { docsPage } from './page.ts';

/** Registers the OpenAPI document and the page of the contract (API-01). Both are made once, on the first request. */
export function apiDocsRoutes(serve: Serve<Caller>, portal: Portal): void {
  let document: Record<string, unknown> | undefined;
  let page: string | undefined;
  serve('GET /api/openapi.json', async () => {
    document ??= openApi(portal);
    return document;
  });
  serve('GET /api/docs', async ({ reply }) => {
    page ??= docsPage(portal);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
