import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

/** The documentation of the API (API-01). */
export const apiDocsApi = {
  'GET /api/openapi.json': {
    summary:
      'Returns this API description in OpenAPI 3.1, generated from the contract that the server validates every call with.',
    dutch:
      'Deze beschrijving als OpenAPI 3.1, gemaakt van het contract waaraan de server elke aanvraag toetst.',
    access: 'public',
    response: z.record(z.string(), z.unknown()),
  },
  'GET /api/docs': {
    summary: 'Shows this API description as a web page.',
    dutch: 'Deze pagina.',
    access: 'public',
    media: 'text/html',
    response: z.unknown(),
  },
} as const satisfies Endpoints;
