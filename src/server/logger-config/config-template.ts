import {
  type BlockFormat,
  blockReferenceField,
  certificateField,
  choiceField,
  flagField,
  floatField,
  guidField,
  hexField,
  nameField,
  optionalField,
  textField,
  wholeNumberField,
} from './fields.ts';

/**
 * The table from which config.xml is built and checked. It restates the vendor's schema 1.0.1 and examples (docs/logger-config.md)
 * and is stricter: fields that the schema leaves optional are always present, in this order. A plain value is a constant, taken
 * from the examples unless we decided otherwise.
 */
export const ROOT_ELEMENT = {
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
export const MAX_BUS_BITS_PER_SECOND = 1_000_000;
/** Highest bit rate of a CAN FD frame's data part, bit/s. */
export const MAX_FD_BITS_PER_SECOND = 8_000_000;
/** Longest classic frame in bytes (ISO 11898-1); a longer frame of CAN FD has one of CAN_FD_FRAME_LENGTHS. */
export const MAX_CLASSIC_FRAME_BYTES = 8;
export const CAN_FD_FRAME_LENGTHS: readonly number[] = [12, 16, 20, 24, 32, 48, 64];

const identifier = wholeNumberField(0, 0xffff_ffff);
/** Seconds without any connection after which the logger's modem restarts. */
const RESTART_AFTER = 3600;

/** Blocks of the logger as a whole, and of its connection. */
export const DEVICE_BLOCK_FORMATS = {
  CONFIG: {
    GUID: guidField,
    InterfaceCount: 14,
    Name: nameField,
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
    NTPServer: textField,
  },
  CONFIG_MOBILE: {
    APN: nameField,
    UseAPN: true,
    User: textField,
    Pass: textField,
    PIN: textField,
    UsePIN: flagField,
    NoCommunicationRestartTimeOut: RESTART_AFTER,
    RealTimeSource: 'Mobile',
    RemoteStorageType: 'S3',
  },
  CONFIG_WIFI: {
    SSID: nameField,
    SecurityType: choiceField('Open', 'WPA2'),
    PSK: textField,
    UseDHCP: true,
    NoCommunicationRestartTimeOut: RESTART_AFTER,
    RealTimeSource: 'NTP',
    RemoteStorageType: 'S3',
  },
  /** Any region works, because the upload endpoint reads it from the signature. Times in seconds. */
  CONFIG_S3: {
    S3Type: 'COMPATIBLE',
    EndPoint: nameField,
    Region: 'eu-central-1',
    Bucket: nameField,
    AccessKey: nameField,
    SecretKey: nameField,
    ConnectionType: choiceField('PLAIN', 'SSL'),
    ConnectionPort: wholeNumberField(1, 0xffff),
    RootCertificate: certificateField,
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
export const LIST_BLOCK_FORMATS = {
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
    Type: choiceField('CAN', 'CAN_FD'),
    PhysicalNumber: wholeNumberField(0, LAST_BUS),
    CANBusSpeed: wholeNumberField(1, MAX_BUS_BITS_PER_SECOND),
    CANFDBusSpeed: wholeNumberField(0, MAX_FD_BITS_PER_SECOND),
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
    InterfaceUID: blockReferenceField('GNSSINTERFACE'),
    Type: choiceField('LATITUDE', 'LONGITUDE', 'DATETIME'),
  },
  CANMESSAGE: {
    MessageIdentStart: identifier,
    MessageIdentEnd: identifier,
    Direction: 'Input',
    DLC: wholeNumberField(0, 64),
    IsExtended: flagField,
    InterfaceUID: blockReferenceField('CANINTERFACE'),
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: hexField,
    CANFD_Option: choiceField('NORMAL_CAN', 'FD_CAN', 'FD_FAST_CAN'),
    InputMessageUID: 0,
    Name: nameField,
    /** For J1939 messages only. Address 254 stands for any address. */
    isJ1939: optionalField(flagField),
    J1939Source: optionalField(wholeNumberField(0, 254)),
    J1939Destination: optionalField(wholeNumberField(0, 254)),
  },
  /**
   * The start bit is the number in the DBC, for a Motorola signal too: its most significant bit (RTC2CAN, the vendor's example, has
   * `7|32@0+` as StartBit 7). Value = raw value x ParA + ParB.
   */
  CANSIGNAL: {
    InputType: 'MESSAGE',
    InputUID: blockReferenceField('CANMESSAGE'),
    MessageUID: blockReferenceField('CANMESSAGE'),
    StartBit: wholeNumberField(0, 0xffff),
    BitCount: wholeNumberField(1, 64),
    Endian: choiceField('MOTOROLA', 'INTEL'),
    /** Value before the first frame: NaN, because the machine never sent a 0. */
    DefaultValue: choiceField('NaN', '0'),
    ParA: floatField,
    ParB: floatField,
    SignalType: choiceField('UNSIGNED', 'SIGNED', 'FLOAT32', 'FLOAT64'),
    Name: nameField,
  },
  DAQ: { Number: 1, SamplingRate: 1000 },
  DAQITEM: {
    DAQID: blockReferenceField('DAQ'),
    Name: nameField,
    InputUID: blockReferenceField('CANSIGNAL', 'GNSSMESSAGE'),
  },
  DAQFILE: {
    Name: nameField,
    UploadRate: wholeNumberField(1, 0xffff_ffff),
    InputUID: blockReferenceField('DAQ'),
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
    InterfaceUID: blockReferenceField('SDINTERFACE'),
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: '0000000000000000',
    InputMessageUID: blockReferenceField('CANMESSAGE', 'GNSSMESSAGE'),
  },
} satisfies Record<string, BlockFormat>;
