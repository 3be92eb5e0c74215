import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import {
  deleteDbc,
  readDefinitionView,
  restoreDefinition,
  setJ1939,
  setMapping,
  uploadDbc,
} from './change-definition.ts';
import { definitionVersions, previewReferenceChanges } from './versions.ts';

/** Serves the data definition of a machine or LMB logger (MEDIT-11, MEDIT-12). */
export const definitions: Module<Caller> = {
  routes: (serve, { pool }) => {
    serve('GET /api/machine/dbc/:serial', ({ params }) => readDefinitionView(pool, params.serial));
    serve('POST /api/machine/dbc/upload', ({ body, caller }) => uploadDbc(pool, caller.email, body));
    serve('POST /api/machine/dbc/mapping', ({ body, caller }) => setMapping(pool, caller.email, body));
    serve('POST /api/machine/dbc/j1939', ({ body, caller }) => setJ1939(pool, caller.email, body));
    serve('POST /api/machine/dbc/delete', ({ body, caller }) => deleteDbc(pool, caller.email, body));
    serve('GET /api/machine/dbc/:serial/versions', async ({ params }) => ({
      versions: await definitionVersions(pool, params.serial),
    }));
    serve('POST /api/machine/dbc/restore', ({ body, caller }) => restoreDefinition(pool, caller.email, body));
    serve('GET /api/machine/dbc/:serial/reference', async ({ params, query }) => ({
      changes: await previewReferenceChanges(pool, params.serial, query.dbc_machine),
    }));
  },
};
