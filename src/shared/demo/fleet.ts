import { D10, D25, type DemoModel, EX9, EX26, MX2, MX17, RK160, RK220, WL60, WL110 } from './models.ts';
import { FLEET_OWNER, LMB_OWNER } from './organizations.ts';

/** Records of the demo's machines and LMB loggers. The simulator defines how the machines work. */

export type DemoMachine = {
  readonly serialNumber: string;
  readonly organization: string;
  readonly alias: string;
  readonly model: DemoModel;
  /** Serial number of the machine's ReXgen: seven digits, with leading zeros. */
  readonly loggerSerial: string;
  /** A locally administered address (02:…), which no real device has; empty: unknown. */
  readonly macaddress: string;
  /** 'Urenstand bij aanvang', hours. */
  readonly startHours: number;
  /** Number plate, or the last four characters of the serial number (meldcode); empty: unknown. */
  readonly registrationNumber: string;
};

/** The make whose loggers upload yesterday's readings as log files when the demo starts. */
export const LOG_HISTORY_BRAND = 'Kipstra';

/** The machine whose logger had no network yesterday. */
export const OFFLINE_MACHINE = { serialNumber: 'RH220-5101', loggerSerial: '2251014' };

/** An LMB logger of the demo; its loggerid is the serial number of its ReXgen. */
export type DemoLmbLogger = {
  readonly loggerid: string;
  readonly alias: string;
  readonly organization: string;
};

type Row = readonly [
  serialNumber: string,
  alias: string,
  model: DemoModel,
  loggerSerial: string,
  macaddress: string,
  startHours: number,
  registrationNumber: string,
];

const rows: readonly Row[] = [
  ['STR26-0417', 'Rups Utrecht', EX26, '0012345', '02:5A:10:00:04:17', 1204, '0417'],
  ['STR26-0431', 'Rups Zwolle', EX26, '2204318', '02:5A:10:00:04:31', 866, '0431'],
  ['STR26-0502', 'Rups Groningen', EX26, '2205027', '02:5A:10:00:05:02', 312, '0502'],
  ['STR26-0519', 'Tunnelrups', EX26, '2205194', '02:5A:10:00:05:19', 2951, ''],
  ['STR09-1108', 'Veluwe 1', EX9, '2211083', '02:5A:10:00:11:08', 745, '1108'],
  ['STR09-1122', 'Friesland 1', EX9, '2211226', '02:5A:10:00:11:22', 129, '1122'],
  ['STR09-1140', 'Zeeland 1', EX9, '2211400', '', 58, ''],
  ['BK110-7731', 'Shovel Drechtsteden', WL110, '2277315', '02:5A:20:00:77:31', 1890, 'TBK-31-D'],
  ['BK110-7740', 'Shovel Twente', WL110, '2277409', '02:5A:20:00:77:40', 1422, 'TBK-40-G'],
  ['BK60-2216', 'Shovel Haaglanden', WL60, '2222161', '02:5A:20:00:22:16', 640, 'TBR-16-K'],
  ['BK60-2233', 'Shovel Limburg', WL60, '2222338', '02:5A:20:00:22:33', 505, 'TBR-33-L'],
  ['VLT17-A093', 'Mobiel Brabant', MX17, '2240932', '02:5A:30:00:A0:93', 2210, 'TDV-93-B'],
  ['VLT17-A101', 'Mobiel Kempen', MX17, '2241016', '02:5A:30:00:A1:01', 977, 'TDV-01-H'],
  ['VLT2-B014', 'Mini Betuwe', MX2, '2250147', '02:5A:30:00:B0:14', 233, 'B014'],
  ['VLT2-B027', 'Mini West-Friesland', MX2, '2250273', '02:5A:30:00:B0:27', 411, 'B027'],
  ['KIP25-3301', 'Dumper Flevoland', D25, '2233019', '02:5A:40:00:33:01', 1033, 'TFK-01-P'],
  ['KIP25-3318', 'Tunneldumper', D25, '2233182', '02:5A:40:00:33:18', 3120, ''],
  ['KIP10-0904', 'Dumper Zuidas', D10, '0090412', '02:5A:40:00:09:04', 818, 'TFK-04-S'],
  ['RH220-5101', 'Krol Kijfhoek', RK220, '2251014', '02:5A:50:00:51:01', 4105, '5101'],
  ['RH220-5109', 'Krol Gouda', RK220, '2251091', '02:5A:50:00:51:09', 3877, '5109'],
  ['RH220-5120', 'Krol Zwolle', RK220, '2251205', '02:5A:50:00:51:20', 1560, '5120'],
  ['RH160-6004', 'Krol Breda', RK160, '2260046', '02:5A:50:00:60:04', 2744, '6004'],
  ['RH160-6011', 'Krol Den Bosch', RK160, '2260118', '02:5A:50:00:60:11', 905, '6011'],
  ['RH160-6019', 'Krol Watergraafsmeer', RK160, '2260195', '02:5A:50:00:60:19', 3390, '6019'],
];

export const demoMachines: readonly DemoMachine[] = rows.map(
  ([serialNumber, alias, model, loggerSerial, macaddress, startHours, registrationNumber]) => ({
    serialNumber,
    organization: FLEET_OWNER,
    alias,
    model,
    loggerSerial,
    macaddress,
    startHours,
    registrationNumber,
  }),
);

export const demoLmbLoggers: readonly DemoLmbLogger[] = [
  { loggerid: '0731004', alias: 'Spoorkar Amersfoort', organization: LMB_OWNER },
  { loggerid: '2273108', alias: 'Spoorkar Zwolle', organization: LMB_OWNER },
];
