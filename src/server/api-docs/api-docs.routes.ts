import type { Caller } from '#server/auth/sessions.ts';
import type { Serve } from '#server/platform/serve.ts';
import { openApi, type Portal } from './openapi.ts';
import { docsPage } from './page.ts';

/** API-01: the contract as an OpenAPI document and as a page; both are made once, when first asked for. */
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
