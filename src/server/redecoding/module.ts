import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import { deleteErasures } from './erasures.store.ts';
import { type Erasures, openErasures } from './erasures.ts';
import { redecodingView } from './redecoding.store.ts';
import { openRedecodings, type Redecodings } from './redecoding.ts';
import { readSeenJ1939Sources } from './seen-sources.ts';

type Rewriting = { readonly redecodings: Redecodings; readonly erasures: Erasures };

/** Serves the J1939 sources in stored log files, decoding files again, and erasing readings, for a machine or LMB logger. */
export const redecoding: Module<Caller, { readonly pool: Pool } & Rewriting> &
  ServiceOpener<SharedServices & { readonly telemetry: Telemetry }, Rewriting> = {
  open: async ({ pool, jobs, telemetry, now }) => ({
    redecodings: await openRedecodings({ ...telemetry, pool, jobs }),
    erasures: await openErasures({ pool, jobs, now }),
  }),
  routes: (serve, { pool, redecodings, erasures }) => {
    serve('POST /api/machine/dbc/redecode', async ({ body, caller }) => ({
      redecoding: await redecodings.begin(caller.email, body),
    }));
    serve('GET /api/machine/dbc/:serial/redecode', async ({ params }) => {
      const { id } = await findStreamRow(pool, params.serial);
      return { redecoding: await redecodingView(pool, id) };
    });
    serve('GET /api/machine/dbc/:serial/sources', ({ params }) => readSeenJ1939Sources(pool, params.serial));
    serve('GET /api/machine/erasure/:serial', ({ params }) => erasures.view(params.serial));
    serve('GET /api/machine/erasure/:serial/preview', ({ params, query }) =>
      erasures.preview({ ...params, ...query }),
    );
    serve('POST /api/machine/erasure/create', ({ body, caller }) => erasures.begin(caller.email, body));
    serve('POST /api/machine/erasure/undo', ({ body, caller }) =>
      erasures.undo(caller.email, body.serial, body.id),
    );
  },
  periodic: [['erased readings that cannot be put back any more', deleteErasures]],
};
