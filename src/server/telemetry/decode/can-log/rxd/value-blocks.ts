import { readUint16 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { BLOCK_TYPE } from './block-types.ts';

/**
 * The names that readings use for the values of a GNSSMessage, by the number of their kind (BinGNSSMessage.cs). SPEED_OVER_GROUND
 * is in km/h: the vendor's example sends it on CAN with factor 0.01, and the DBC of that example decodes it with factor 0.01 as
 * "kmph" (InfluxTechnology/Rexgen_XML_Examples @ a275765, GNSS_to_CAN_SD: GNSS2CAN_SD.xml, ReXgen_IMU_Out_V3.dbc).
 */
const GNSS_NAMES = [
  'LATITUDE',
  'LONGITUDE',
  'ALTITUDE',
  'GMT_UNIX',
  'Speed',
  'GROUND_DISTANCE',
  'COURSE_OVER_GROUND',
  'GEOID_SEPARATION',
  'NUMBER_SATELLITES',
  'QUALITY',
  'HORIZONTAL_ACCURACY',
  'VERTICAL_ACCURACY',
  'SPEED_ACCURACY',
  'VEHICLE_ROLL',
  'VEHICLE_PITCH',
  'VEHICLE_HEADING',
  'VEHICLE_ROLL_ACCURACY',
  'VEHICLE_PITCH_ACCURACY',
  'VEHICLE_HEADING_ACCURACY',
  'ACCELERATION_X',
  'ACCELERATION_Y',
  'ACCELERATION_Z',
  'ANGULAR_RATE_X',
  'ANGULAR_RATE_Y',
  'ANGULAR_RATE_Z',
  'GEOFENCE_1',
  'GEOFENCE_2',
  'GEOFENCE_3',
  'GEOFENCE_4',
  'GNSS_TIMESTAMP',
];

const AXES = ['X', 'Y', 'Z', 'IMPACT'];
const ANGLES = ['PITCH', 'ROLL', 'YAW'];
const PARAMETERS = [
  'Assembly_Number',
  'Batch_Number',
  'Config_Version_0_3',
  'Config_Version_12_15',
  'Config_Version_4_7',
  'Config_Version_8_11',
  'FW_Branch',
  'FW_Major',
  'FW_Minor',
  'FW_Type',
  'Product_Number',
  'RTC',
  'Serial_Number',
  'TimeStamp',
  'Mobile_Loop_Status',
  'IMU_Temperature',
  'MCU_Temperature',
];

/** Returns the name of a block's values; undefined when the block has no name or no values. */
export function valueBlockName(block: Uint8Array, body: number): string | undefined {
  const number = (offset: number): number => block[body + offset] ?? 0;
  const listed = (prefix: string, names: readonly string[], offset: number): string | undefined => {
    const name = names[number(offset)];
    return name === undefined ? undefined : prefix + name;
  };
  switch (readUint16(block, 0)) {
    case BLOCK_TYPE.gnssMessage:
      return listed('', GNSS_NAMES, 2);
    case BLOCK_TYPE.canSignal:
      // A signal of version 1 has no name.
      return readUint16(block, 2) < 2 ? undefined : customName(block, body + 22);
    case BLOCK_TYPE.linSignal:
      return customName(block, body + 21);
    case BLOCK_TYPE.signalOperator:
      return customName(block, body + 7);
    case BLOCK_TYPE.signalFilter:
      return customName(block, body + 12);
    case BLOCK_TYPE.adc:
      return `ADC ${number(0)}`;
    case BLOCK_TYPE.digitalInput:
      return `Digital ${number(0)}`;
    case BLOCK_TYPE.accelerometer:
      return listed('Accelerometer ', AXES, 1);
    case BLOCK_TYPE.gyro:
      return listed('Gyroscope ', AXES, 1);
    case BLOCK_TYPE.orientation:
      return listed('Orientation ', ANGLES, 2);
    case BLOCK_TYPE.internalParameter:
      return listed('IntParam_', PARAMETERS, 0);
    default:
      return undefined;
  }
}

/** Reads a length-prefixed name; undefined when it is empty or longer than the block. */
function customName(block: Uint8Array, at: number): string | undefined {
  const end = at + 1 + (block[at] ?? 0);
  return end >= block.length || end === at + 1 ? undefined : text(block, at + 1, end);
}

/** Reads an ASCII text of at most 255 bytes. */
const text = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));
