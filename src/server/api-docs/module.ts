import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { buildOpenApiDocument, type DocumentedPortal } from './openapi.ts';
import { docsPage } from './page.ts';

/** Registers the OpenAPI document and the page of the contract (API-01). Both are made once, on the first request. */
export const apiDocs: Module<Caller, { readonly documented: DocumentedPortal }> = {
  topics: {
    docs: { title: 'Documentatie', about: 'Deze beschrijving, om te lezen en voor programma’s.' },
  },
  routes: (serve, { documented }) => {
    let document: Record<string, unknown> | undefined;
    let page: string | undefined;
    serve('GET /api/openapi.json', async () => {
      document ??= buildOpenApiDocument(documented);
      return document;
    });
    serve('GET /api/docs', async ({ reply }) => {
      page ??= docsPage(documented);
      return reply.type('text/html; charset=utf-8').send(page);
    });
  },
};
