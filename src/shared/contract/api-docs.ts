import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** What the portal says of its own API (API-01). */
export const apiDocsApi = {
  'GET /api/openapi.json': {
    summary:
      'This description: OpenAPI 3.1, made from the contract that the server checks every call against.',
    access: 'public',
    changes: false,
    response: z.record(z.string(), z.unknown()),
  },
  'GET /api/docs': {
    summary: 'The same as a page to read.',
    access: 'public',
    changes: false,
    media: 'text/html',
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
