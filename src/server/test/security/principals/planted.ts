import { pdf, testPicture } from '#server/machine-files/test/images.ts';
import { type AdminTestPortal, validMachineForm } from '#server/machines/test/administration.ts';
import type { TestLogger } from '#server/test/portal.ts';

/** Organizations with planted data; `beheer` is the organization of the administrators. */
export type PlantedOrganization = 'eigen' | 'spoor' | 'ander' | 'rails' | 'dicht' | 'beheer';

/** Returns the marker that every name, address and text of an organization contains, so that one search finds every leak. */
export const organizationMarker = (label: PlantedOrganization): string => `kanarie-${label}`;

/** A machine or LMB logger with every kind of data. */
export type PlantedMachine = {
  readonly serial: string;
  readonly alias: string;
  readonly logger: TestLogger;
  /** Paths of the photo and manual; '' for an LMB logger, which has none. */
  readonly photo: string;
  readonly manual: string;
  /** Values that cannot contain the marker of the organization, such as numbers; the tests search answers for them too. */
  readonly secrets: readonly string[];
};

export const dbcWithMarker = (marker: string) => `VERSION ""

BU_: BMS

BO_ 500 BMS_Status: 8 BMS
 SG_ soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ MotorSpeed : 8|16@1+ (1,0) [0|8000] "rpm" Vector__XXX

CM_ BO_ 500 "${marker}";
`;

/** Returns the form with which a machine of that organization is created and edited. */
export const machineForm = (label: PlantedOrganization, serial: string, loggerSerial: string) => ({
  ...validMachineForm(serial),
  alias: `${organizationMarker(label)} rups`.replace(' ', '-'),
  brand: `${organizationMarker(label)}-merk`,
  model: `${organizationMarker(label)}-model`,
  macaddress: `${organizationMarker(label)}-mac`,
  bedrijf: organizationMarker(label),
  hulpstukken: JSON.stringify([{ naam: `${organizationMarker(label)}-bak`, nummer: 7 }]),
  influx_serial: loggerSerial,
});

/** Returns a latitude that no other planted machine has. */
const latitudeOf = (loggerSerial: string): number => Number(`52.${loggerSerial}`);

/**
 * Plants a machine with a photo and a manual.
 * @param earlierOwner the organization to which the machine belonged before
 */
export async function plantMachine(
  a: AdminTestPortal,
  label: PlantedOrganization,
  serial: string,
  loggerSerial: string,
  earlierOwner?: PlantedOrganization,
): Promise<PlantedMachine> {
  const form = machineForm(label, serial, loggerSerial);
  await requireSuccess(a.create(serial, { ...form, bedrijf: organizationMarker(earlierOwner ?? label) }));
  await requireSuccess(a.bind(serial, loggerSerial));
  if (earlierOwner) {
    await requireSuccess(a.call('POST /api/machine/writer/key', { body: { serial } }));
    const logger = await a.loggerOf(serial);
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds(a) - 3_600, LATITUDE: 51.987654, LONGITUDE: 5.1 });
    await requireSuccess(
      a.sell(serial, organizationMarker(label), { from: organizationMarker(earlierOwner) }),
    );
    a.fleet.clock += 60_000;
  }
  const png = (await testPicture(label.charCodeAt(0), 9).png().toBuffer()).toString('base64');
  const files = {
    img: { name: `${organizationMarker(label)}.png`, serial, file: `data:image/png;base64,${png}` },
    manual: {
      name: `${organizationMarker(label)}.pdf`,
      serial,
      file: `data:application/pdf;base64,${pdf(organizationMarker(label)).toString('base64')}`,
    },
  };
  const photo = hashIn((await requireSuccess(a.call('POST /api/img/upload', { body: files.img }))).json.url);
  const manual = hashIn(
    (await requireSuccess(a.call('POST /api/manual/upload', { body: files.manual }))).json.url,
  );
  return { ...(await plantLogger(a, label, serial, form.alias)), photo, manual };
}

/** Plants an LMB logger, whose loggerid is its ReXgen's serial number. */
export async function plantLmbLogger(
  a: AdminTestPortal,
  label: PlantedOrganization,
  loggerid: string,
): Promise<PlantedMachine> {
  const alias = `${organizationMarker(label)}-krol`;
  await requireSuccess(
    a.call('GET /api/berend/new', { query: { organization: organizationMarker(label), loggerid, alias } }),
  );
  return plantLogger(a, label, loggerid, alias);
}

/** Plants a data definition, network settings, a configuration, and uploads: a readable and an unreadable one, a log file, a status. */
async function plantLogger(
  a: AdminTestPortal,
  label: PlantedOrganization,
  serial: string,
  alias: string,
): Promise<PlantedMachine> {
  const marker = organizationMarker(label);
  for (const bitrate of [500_000, 250_000])
    await requireSuccess(a.upload(serial, dbcWithMarker(marker), { name: `${marker}.dbc`, bitrate }));
  const wifi = { kind: 'wifi', wifiSsid: `${marker}-wifi`, wifiPassword: `${marker}-wachtwoord` };
  await requireSuccess(a.call('POST /api/machine/writer/network', { body: { serial, ...wifi } }));
  await requireSuccess(a.call('GET /api/machine/config/create', { query: { serienummer: serial } }));
  await requireSuccess(a.call('GET /api/machine/config/download', { query: { serienummer: serial } }));
  const logger = await a.loggerOf(serial);
  const at = seconds(a);
  const position = { LATITUDE: latitudeOf(logger.loggerSerial), LONGITUDE: 5.2 };
  const rail = { Speed: 12, Machinestatus: 1, Spoor: 1, Spoorstand: 1 };
  const rest = { [`${marker}-signaal`]: 1, BatteryCurrent: -50, MotorSpeed: 900, Soc1: 80 };
  await a.fleet.put(
    logger,
    `${marker}-snapshot.json`,
    JSON.stringify({ GMT_UNIX: at - 30, ...position, ...rail, ...rest }),
  );
  await a.fleet.put(
    logger,
    `${marker}-snapshot.json`,
    JSON.stringify({ GMT_UNIX: at, ...position, ...rail, ...rest }),
  );
  await a.fleet.put(logger, `${marker}-stuk-snapshot.json`, '{');
  await a.fleet.put(logger, 'Status.json', JSON.stringify({ config_GUID: `${marker}-guid` }));
  await a.fleet.put(logger, `${marker}.log`, '(5.000000) can0 1F4#A0');
  const secrets = [logger.loggerSerial, logger.accessKey, logger.secret];
  return { serial, alias, logger, photo: '', manual: '', secrets };
}

const seconds = (a: AdminTestPortal): number => Math.floor(a.fleet.clock / 1000);
const hashIn = (url: string): string => url.split('/').at(-1) as string;

/** Returns the answer of a call that plants data. @throws Error if it is not 200, because the tests prove nothing without the data */
export async function requireSuccess<T extends { status: number; text: string }>(
  answer: Promise<T>,
): Promise<T> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`Not planted: ${status} ${text}`);
  return answer;
}
