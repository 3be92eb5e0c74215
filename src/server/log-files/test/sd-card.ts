import type { AdminTestPortal, TestResponse } from '#server/machines/test/administration.ts';
import type { RxdSettings } from '#shared/demo/rxd-configuration.ts';
import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';

const TICKS_PER_S = 100_000;

export type SdCardFile = { readonly name: string; readonly bytes: Buffer };

/** The secret key in the configuration of the .rxd files of these tests. */
export const CARD_SECRET_KEY = 'GEHEIM-VAN-DE-LOGGER';

/**
 * Returns an .rxd file as on a logger's SD card: per second one BMS_Status of BATTERY_DBC, whose soc1 is 50 % and whose next two bytes are
 * 900, and one frame of each identifier of `others`, which that DBC does not have.
 */
export function createSdCardFile(
  loggerSerial: string,
  startMs: number,
  { seconds = 60, others = [] as readonly number[], bms = 500 } = {},
): SdCardFile {
  const settings: RxdSettings = {
    name: 'KRAAN',
    buses: [0],
    s3: {
      endPoint: 'https://portaal.nl',
      bucket: 'telemetry',
      region: 'eu-central-1',
      accessKey: 'WS123',
      secretKey: CARD_SECRET_KEY,
    },
  };
  const file = new RxdFile(settings);
  for (let n = 0; n < seconds; n += 1) {
    const tick = n * TICKS_PER_S;
    file.addFrame({ tick, bus: 0, id: bms, data: [100, 132, 3, 0, 0, 0, 0, 0] });
    for (const id of others) file.addFrame({ tick: tick + 1, bus: 0, id, data: [1] });
  }
  return { name: rxdFileName('KRAAN', loggerSerial, startMs), bytes: Buffer.from(file.toBytes()) };
}

/** Uploads a file as the page of a machine does, as the administrator or as `as`. */
export async function uploadSdCardFile(
  a: AdminTestPortal,
  serial: string,
  { name, bytes }: SdCardFile,
  as = a.admin,
): Promise<TestResponse> {
  const answer = await a.portal.app.inject({
    method: 'POST',
    url: `/api/machine/log-file/upload?${new URLSearchParams({ serial, name })}`,
    headers: { cookie: as, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  const json = answer.json();
  return {
    status: answer.statusCode,
    text: answer.body,
    headers: answer.headers,
    code: json.code,
    message: json.message,
    json,
  };
}
