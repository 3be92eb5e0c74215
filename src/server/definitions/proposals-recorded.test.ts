import { describe, expect, test } from 'vitest';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { definitionTasks } from './definition-tasks.ts';

const viewOf = (file: string, kind: 'machine' | 'logger'): DefinitionView => {
  const added = { bus: 0, bitrate: 500_000, name: 'can.dbc', dbc: decodeText(sharedData(file)) };
  return definitionTasks.upload({
    definition: { buses: [], mapping: { signals: [], keep: [] } },
    added,
    kind,
  }).view;
};

/** Returns the first proposal for each signal of the portal; the screen offers these proposals with one click. */
const firstOf = ({ proposals }: DefinitionView): Record<string, string> =>
  Object.fromEntries(proposals.toReversed().map(({ to, message, signal }) => [to, `${message}.${signal}`]));

describe.skipIf(!hasSharedData)('the proposals for the DBC files of real machines in ../shared/data', () => {
  test.each<[string, Record<string, string>]>([
    [
      'kona/pcan.dbc',
      {
        MotorSpeed: 'VCU_291.Speed_signed',
        ChargingCurrent: 'ACChargeStatus.I_AC',
        ChargingVoltage: 'ACChargeStatus.V_AC',
        BatteryCurrent: 'Batt_HV_Status.IBatt',
        BatteryVoltage: 'Batt_HV_Status.VBatt',
        Speed: 'IEB_386_WHEEL.WHL_SPD_FL',
        IsCharging: 'OBC_58E.EVSEDetected',
        Soc1: 'BMS_542.SocDisp',
      },
    ],
    [
      'opendbc/gm_global_a_high_voltage_management.dbc',
      {
        ChargingCurrent: 'Charger_stats.Charger_HV_Current',
        BatteryCurrent: 'Pack_Stats.Pack_Current',
        BatteryVoltage: 'Pack_Stats.Pack_Voltage',
      },
    ],
    [
      'opendbc/tesla_powertrain.dbc',
      { MotorSpeed: 'DI_torque1.DI_motorRPM', Speed: 'DI_torque2.DI_vehicleSpeed' },
    ],
    ['opendbc/tesla_model3_vehicle.dbc', {}],
    [
      'tesla/Model3CAN.dbc',
      {
        LATITUDE: 'ID04FGPSLatLong.GPSLatitude04F',
        LONGITUDE: 'ID04FGPSLatLong.GPSLongitude04F',
        ChargingCurrent: 'ID29DCP_dcChargeStatus.CP_evseOutputDcCurrent',
        ChargingVoltage: 'ID2C4PCS_logging.PCS_chgOutputV',
        BatteryCurrent: 'ID132HVBattAmpVolt.SmoothBattCurrent132',
        BatteryVoltage: 'ID132HVBattAmpVolt.BattVoltage132',
        Speed: 'ID257UIspeed.UIspeed_signed257',
        Soc1: 'ID33AUI_rangeSOC.UI_SOC',
      },
    ],
    ['cantools/j1939.dbc', {}],
    ['cantools/multiplex_2.dbc', {}],
  ])('the first proposals for %s are the right signals (MEDIT-12, 12.A11)', (file, expected) => {
    expect(firstOf(viewOf(file, 'machine'))).toEqual(expected);
  });

  test.each([
    'VCFRONT_driverIsLeavingAnySpeed',
    'DIR_oilPumpMotorSpeed',
    'VCFRONT_ChargePumpVoltage',
    'PTC_leftCurrentHV',
    'v12vBattVoltage261',
    'BMS_maxSocChange',
    'CP_chargeCableState',
    'UI_showTrackLabels',
    'TracksSpeed_UNK',
    'BAT_SOC',
    'ACCurrentPossible',
    'DAS_wiperSpeed',
    'DI_trackModeState',
  ])('%s is proposed for no signal, not even for an LMB logger (MEDIT-12, 12.A11)', (signal) => {
    const files = ['kona/pcan.dbc', 'opendbc/tesla_model3_vehicle.dbc', 'tesla/Model3CAN.dbc'];
    const views = files.map((file) => viewOf(file, 'logger'));
    const all = views.flatMap(({ buses }) => buses.flatMap(({ messages }) => messages));
    expect(all.some(({ signals }) => signals.some(({ name }) => name === signal))).toBe(true);
    expect(views.flatMap(({ proposals }) => proposals).filter((one) => one.signal === signal)).toEqual([]);
  });
});
