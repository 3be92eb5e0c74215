import {
  type BlockFormat,
  certificate,
  choice,
  flag,
  float,
  guid,
  hex,
  name,
  optional,
  reference,
  text,
  whole,
} from './fields.ts';

/**
 * The table from which config.xml is built and checked. It restates the vendor's schema 1.0.1 and examples (docs/logger-config.md)
 * and is stricter: fields that the schema leaves optional are always present, in this order. A plain value is a constant, taken
 * from the examples unless we decided otherwise.
 */
export const ROOT = {
  name: 'REXGENCONFIG',
  attributes: {
    xmlns: 'http://www.influxtechnology.com/xml/ReXgen',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': 'http://www.influxtechnology.com/xml/ReXgen ReXConfig.xsd',
  },
  version: '1.0.1',
  /** The children after VERSION-TYPE. A logger has one network. */
  children: /^CONFIG CONFIG_(MOBILE|WIFI) CONFIG_S3 BLOCKS$/,
} as const;

/** Number of the last CAN bus of a logger; the first is 0. */
export const LAST_BUS = 3;
/** Highest bit rate of a bus, bit/s. */
export const FASTEST_BUS = 1_000_000;
/** Highest bit rate of a CAN FD frame's data part, bit/s. */
export const FASTEST_FD = 8_000_000;
/** Longest classic frame in bytes (ISO 11898-1); a longer frame of CAN FD has one of FD_LENGTHS. */
export const LONGEST_CLASSIC = 8;
export const FD_LENGTHS: readonly number[] = [12, 16, 20, 24, 32, 48, 64];

const identifier = whole(0, 0xffff_ffff);
/** Seconds without any connection after which the logger's modem restarts. */
const RESTART_AFTER = 3600;

/** Blocks of the logger as a whole, and of its connection. */
export const DEVICE = {
  CONFIG: {
    GUID: guid,
    InterfaceCount: 14,
    Name: name,
    TimeStampSize: 4, // bytes
    TimeStampPrecision: 10, // microseconds per tick
    SleepMode: 'NO_SLEEP',
    ConfigurationVersion: 2,
    CANPositiveTimeout: 0,
    CANSilentDelay: 0,
    CANReceiveTimeout: 120,
    EncryptType: 'No_Encryption',
    EncryptKey: '',
    LockDevice: false,
    EncryptDataLog: false,
    NTPServer: text,
  },
  CONFIG_MOBILE: {
    APN: name,
    UseAPN: true,
    User: text,
    Pass: text,
    PIN: text,
    UsePIN: flag,
    NoCommunicationRestartTimeOut: RESTART_AFTER,
    RealTimeSource: 'Mobile',
    RemoteStorageType: 'S3',
  },
  CONFIG_WIFI: {
    SSID: name,
    SecurityType: choice('Open', 'WPA2'),
    PSK: text,
    UseDHCP: true,
    NoCommunicationRestartTimeOut: RESTART_AFTER,
    RealTimeSource: 'NTP',
    RemoteStorageType: 'S3',
  },
  /** Any region works, because the upload endpoint reads it from the signature. Times in seconds. */
  CONFIG_S3: {
    S3Type: 'COMPATIBLE',
    EndPoint: name,
    Region: 'eu-central-1',
    Bucket: name,
    AccessKey: name,
    SecretKey: name,
    ConnectionType: choice('PLAIN', 'SSL'),
    ConnectionPort: whole(1, 0xffff),
    RootCertificate: certificate,
    EncryptPass: false,
    KeepLogFilesOnDevice: true,
    ConfigurationCheckTime: 3600,
    FirmwareCheckTime: 86_400,
    AutomaticFirmwareUpdate: false,
    StatusSendTime: 300,
    UploadLogs: true,
    UploadStatus: true,
  },
} satisfies Record<string, BlockFormat>;

/** Blocks in the order of their lists in BLOCKS; a block `X` is in the list `X_LIST`. */
export const BLOCKS = {
  /** Log files on the logger's own card. */
  SDINTERFACE: {
    MaxLogSize: 104_857_600, // bytes
    MaxLogTime: 3600, // seconds
    LogFormat: 'InfluxGeneric1',
    PreLogTime: 0,
    PostLogTime: 0,
    IsPostTimeFromEnableStart: true,
    NumberOfLogs: 0,
    IsEnableCreateNewLog: false,
    InitialEnableState: true,
    EnableUID: 0,
    DisableUID: 0,
    PartitionID: 0,
  },
  USBINTERFACE: {},
  /** `SilentMode`: the logger only listens, so that it can never disturb a machine. */
  CANINTERFACE: {
    Type: choice('CAN', 'CAN_FD'),
    PhysicalNumber: whole(0, LAST_BUS),
    CANBusSpeed: whole(1, FASTEST_BUS),
    CANFDBusSpeed: whole(0, FASTEST_FD),
    CANFDNonISO: false,
    TSeg1: 0,
    TSeg2: 0,
    SJW: 0,
    TSeg1FD: 0,
    TSeg2FD: 0,
    SJWFD: 0,
    SilentMode: true,
    Autodetect: false,
    WakeUpOption: 'NO_WAKE_UP',
    SleepOption: 'NO_SLEEP',
    SleepNoActivityTime: 0,
    Prescaler: 0,
    PrescalerFD: 0,
    UseBitTiming: false,
    FilterCount: 0,
  },
  GNSSINTERFACE: { PhysicalNumber: 0, SamplingRate: 1000 },
  GNSSMESSAGE: {
    InterfaceUID: reference('GNSSINTERFACE'),
    Type: choice('LATITUDE', 'LONGITUDE', 'DATETIME'),
  },
  CANMESSAGE: {
    MessageIdentStart: identifier,
    MessageIdentEnd: identifier,
    Direction: 'Input',
    DLC: whole(0, 64),
    IsExtended: flag,
    InterfaceUID: reference('CANINTERFACE'),
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: hex,
    CANFD_Option: choice('NORMAL_CAN', 'FD_CAN', 'FD_FAST_CAN'),
    InputMessageUID: 0,
    Name: name,
    /** For J1939 messages only. Address 254 stands for any address. */
    isJ1939: optional(flag),
    J1939Source: optional(whole(0, 254)),
    J1939Destination: optional(whole(0, 254)),
  },
  /**
   * The start bit is the number in the DBC, for a Motorola signal too: its most significant bit (RTC2CAN, the vendor's example, has
   * `7|32@0+` as StartBit 7). Value = raw value x ParA + ParB.
   */
  CANSIGNAL: {
    InputType: 'MESSAGE',
    InputUID: reference('CANMESSAGE'),
    MessageUID: reference('CANMESSAGE'),
    StartBit: whole(0, 0xffff),
    BitCount: whole(1, 64),
    Endian: choice('MOTOROLA', 'INTEL'),
    /** Value before the first frame: NaN, because the machine never sent a 0. */
    DefaultValue: choice('NaN', '0'),
    ParA: float,
    ParB: float,
    SignalType: choice('UNSIGNED', 'SIGNED', 'FLOAT32', 'FLOAT64'),
    Name: name,
  },
  DAQ: { Number: 1, SamplingRate: 1000 },
  DAQITEM: { DAQID: reference('DAQ'), Name: name, InputUID: reference('CANSIGNAL', 'GNSSMESSAGE') },
  DAQFILE: {
    Name: name,
    UploadRate: whole(1, 0xffff_ffff),
    InputUID: reference('DAQ'),
    InputTypeID: 0,
    FileType: 'JSON',
  },
  /** Records everything that the block InputMessageUID receives. */
  SDMESSAGE: {
    MessageIdentStart: 0,
    MessageIdentEnd: 0xffff_ffff,
    Direction: 'OutputPeriodic',
    DLC: 8,
    IsExtended: false,
    InterfaceUID: reference('SDINTERFACE'),
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: '0000000000000000',
    InputMessageUID: reference('CANMESSAGE', 'GNSSMESSAGE'),
  },
} satisfies Record<string, BlockFormat>;
