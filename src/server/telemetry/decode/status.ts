import { checkLoggerSerial } from '#shared/domain/identifiers.ts';
import { parseJsonObject } from './json-object.ts';

/** The state that a ReXgen reports in Status.json and a CANedge in device.json (docs/design.md section 7); each field may be absent. */
export type LoggerStatus = {
  /** The 7 digits of a ReXgen, with leading zeros, or the device id of a CANedge. */
  readonly serialNumber?: string;
  readonly firmware?: string;
  readonly configName?: string;
  /** In lower case without braces, for comparison with the configuration that the portal made. */
  readonly configGuid?: string;
  readonly maxSpaceMb?: number;
  readonly freeSpaceMb?: number;
  /** The logger's own clock, seconds since 1970. */
  readonly rtcUnix?: number;
};

const MAX_STATUS_TEXT_CHARACTERS = 100;
const MAX_MEGABYTES = 1e9;
const MAX_SECONDS = 1e11;

/**
 * Reads a Status.json or device.json. Numbers may be texts; missing and invalid fields are left out. Returns undefined when the
 * content is no JSON object.
 */
export function decodeStatus(bytes: Buffer): LoggerStatus | undefined {
  const fields = parseJsonObject(bytes);
  if (fields === undefined) return undefined;
  const space = readSpace(fields.space_used_mb);
  const found = {
    serialNumber: readSerial(fields.serial_number) ?? readDeviceId(fields.id),
    firmware: readText(fields.fw_ver),
    configName: readText(fields.config_name ?? fields.cfg_name),
    configGuid: readText(fields.config_GUID)?.toLowerCase().replace(/[{}]/g, ''),
    maxSpaceMb: readNumber(fields.max_space_MB, MAX_MEGABYTES) ?? space?.max,
    freeSpaceMb: readNumber(fields.free_space_MB, MAX_MEGABYTES) ?? space?.free,
    rtcUnix: readNumber(fields.RTC_UNIX, MAX_SECONDS),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Reads a serial number. One that is a JSON number has lost its leading zeros, which this function adds. */
function readSerial(value: unknown): string | undefined {
  const digits = typeof value === 'number' ? String(value).padStart(7, '0') : readText(value);
  return digits !== undefined && /^\d{7}$/.test(digits) ? digits : undefined;
}

function readDeviceId(value: unknown): string | undefined {
  const checked = checkLoggerSerial(readText(value) ?? '', 'canedge');
  return checked.ok ? checked.value : undefined;
}

/** Reads the SD card of a CANedge: '36/7572', used and total. */
function readSpace(value: unknown): { max: number; free: number } | undefined {
  const [, used, total] = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(readText(value) ?? '') ?? [];
  const [usedMb, max] = [Number(used), Number(total)];
  return usedMb <= max ? { max, free: max - usedMb } : undefined;
}

function readText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).replace(/\p{C}/gu, '').trim();
  return text === '' ? undefined : text.slice(0, MAX_STATUS_TEXT_CHARACTERS).toWellFormed();
}

function readNumber(value: unknown, most: number): number | undefined {
  if (typeof value === 'string' && !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  return number >= 0 && number <= most ? number : undefined;
}
