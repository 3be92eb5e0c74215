import { TestFleet } from '#server/telemetry/test/fleet.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import type { TestLogger, TestPortal } from '#server/test/portal.ts';

export type TestResponse = {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly json: any;
};
type Given = { readonly as?: string; readonly query?: Record<string, string>; readonly body?: unknown };

/** A portal with an administrator who is signed in, and a customer `klant` with a user. */
export class AdminTestPortal {
  readonly fleet: TestFleet;
  readonly portal: TestPortal;
  readonly admin: string;

  private constructor(fleet: TestFleet, admin: string) {
    this.fleet = fleet;
    this.portal = fleet.portal;
    this.admin = admin;
  }

  static async open(): Promise<AdminTestPortal> {
    const fleet = await TestFleet.open();
    await fleet.portal.user('admin@portaal.nl', await fleet.portal.organization('admin'));
    return new AdminTestPortal(fleet, await fleet.portal.login('admin@portaal.nl'));
  }

  /** Calls `key` of the contract, with path parameters filled in, as the administrator or as `as`. */
  async call(key: string, { as = this.admin, query, body }: Given = {}): Promise<TestResponse> {
    const [method, path] = key.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const answer = await this.portal.app.inject({
      method,
      url: path + search,
      headers: { ...(as && { cookie: as }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    const json = isJson ? answer.json() : undefined;
    return {
      status: answer.statusCode,
      text: answer.body,
      headers: answer.headers,
      code: json?.code,
      message: json?.message,
      json,
    };
  }

  /** Creates a machine's record, the first of the three steps of creating a machine; `changed` replaces fields of a valid form. */
  create(serial: string, changed: Record<string, string> = {}, as = this.admin): Promise<TestResponse> {
    return this.call('GET /api/machine/create', { as, query: { ...validMachineForm(serial), ...changed } });
  }

  edit(serial: string, changed: Record<string, string> = {}, as = this.admin): Promise<TestResponse> {
    const { influx_serial } = validMachineForm(changed.current_serial ?? serial);
    return this.call('GET /api/machine/edit', {
      as,
      query: { ...validMachineForm(serial), influx_serial, ...changed },
    });
  }

  /** Sells a machine of `klant` ('Verkoop of verplaats'). */
  sell(serial: string, bedrijf: string, more: { from?: string; at?: string } = {}): Promise<TestResponse> {
    return this.call('POST /api/machine/sell', { body: { serial, bedrijf, from: 'klant', ...more } });
  }

  bind(serienummer: string, influxserienummer: string, dbcserienummer = ''): Promise<TestResponse> {
    return this.call('GET /api/machine/writer/create', {
      query: { bedrijf: 'klant', serienummer, influxserienummer, dbcserienummer },
    });
  }

  /** Creates a machine with a logger. */
  async machine(serial: string, changed: Record<string, string> = {}): Promise<void> {
    await this.create(serial, changed);
    await this.bind(serial, changed.influx_serial ?? validMachineForm(serial).influx_serial);
  }

  upload(serial: string, dbc: string | Buffer, more: Record<string, unknown> = {}): Promise<TestResponse> {
    const file = `data:application/octet-stream;base64,${Buffer.from(dbc).toString('base64')}`;
    return this.call('POST /api/machine/dbc/upload', { body: { serial, name: 'accu.dbc', file, ...more } });
  }

  details(serialNumber: string, as = this.admin): Promise<TestResponse> {
    return this.call('GET /api/machine/get/serial', { as, query: { serialNumber } });
  }

  /** Returns the key pair that the logger of a machine has now, as in its config.xml. */
  async loggerOf(serial: string): Promise<TestLogger> {
    const { rows } = await this.portal.pool.query(
      `select w.id as "writerId", w.stream_id as "streamId", w.logger_serial as "loggerSerial", k.access_key as "accessKey", k.secret
       from stream s join writer w on w.stream_id = s.id and w.valid_to = 'infinity'
       join writer_key k on k.writer_id = w.id and k.retired_at is null
       where s.serial = $1 and s.deleted_at is null order by k.created_at desc limit 1`,
      [serial],
    );
    const [{ secret, ...logger }] = rows;
    return { ...logger, secret: this.portal.secrets.open('writer_key.secret', logger.accessKey, secret) };
  }

  async audited(): Promise<{ actor: string; action: string; subject: string }[]> {
    const { rows } = await this.portal.pool.query(
      `select actor, action, subject from ${AUDIT_ROWS_SQL} order by id`,
    );
    return rows;
  }

  close(): Promise<void> {
    return this.fleet.close();
  }
}

let logger = 4_000_000;
const loggers = new Map<string, string>();

/** Returns the fields of a valid form; each serial number has a logger serial of its own. */
export function validMachineForm(serial: string) {
  if (!loggers.has(serial)) {
    logger += 1;
    loggers.set(serial, String(logger));
  }
  return {
    brand: 'Volta',
    model: 'EX-1',
    alias: `Graver ${logger}`,
    bedrijf: 'klant',
    cleanorg: 'klant BV',
    macaddress: '000 00 AS0 A0000',
    machine_serial: serial,
    influx_serial: loggers.get(serial) as string,
    dbc_machine: '',
    hulpstukken: '[]',
    batteries: '[{"capacity":64}]',
    urenstand: '0',
  };
}

/** A DBC with signals whose names equal a signal of the portal (soc1), resemble one (PackI), or do neither (CelTemp). */
export const BATTERY_DBC = `VERSION ""

BU_: BMS

BO_ 500 BMS_Status: 8 BMS
 SG_ soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ BMS_PackVoltage : 8|16@1+ (0.1,0) [0|1000] "V" Vector__XXX
 SG_ PackI : 24|16@1- (0.1,0) [-1000|1000] "A" Vector__XXX
 SG_ CelTemp : 40|8@1- (1,0) [-40|100] "degC" Vector__XXX

BO_ 2566845396 DRV_Status: 4 BMS
 SG_ Motor_Speed : 0|16@1+ (0.5,0) [0|8000] "rpm" Vector__XXX
`;
