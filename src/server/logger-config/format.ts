/**
 * What a configuration of ours looks like: the blocks that we write, each field with what it may hold. In our own
 * words after the vendor's schema 1.0.1 and examples (reference/logger.md section 1.3), and stricter: what the
 * schema leaves optional is always there, and in this order.
 */
export type Field =
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' | 'float' | 'guid' | 'hex' | 'certificate' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'text'; readonly min: number }
  /** The UID of a block of one of these kinds; with none of them: 0, which means none. */
  | { readonly kind: 'reference'; readonly to: readonly string[] };

export type BlockFormat = Readonly<Record<string, Field>>;

/** UIDs are xs:unsignedShort, and 0 means none. */
export const MOST_BLOCKS = 65_535;

const whole = (min: number, max: number): Field => ({ kind: 'whole', min, max });
const choice = (...of: string[]): Field => ({ kind: 'choice', of });
const reference = (...to: string[]): Field => ({ kind: 'reference', to });
const byte = whole(0, 0xff);
const short = whole(0, 0xffff);
const int = whole(0, 0xffff_ffff);
const flag: Field = { kind: 'flag' };
const float: Field = { kind: 'float' };
const hex: Field = { kind: 'hex' };
const text: Field = { kind: 'text', min: 0 };
const name: Field = { kind: 'text', min: 1 };
const storage = choice('S3');
const clock = choice('Mobile', 'No', 'NTP');

export const DEVICE: Readonly<Record<string, BlockFormat>> = {
  CONFIG: {
    GUID: { kind: 'guid' },
    InterfaceCount: short,
    Name: name,
    TimeStampSize: short,
    TimeStampPrecision: whole(1, 0xffff_ffff),
    SleepMode: choice('NO_SLEEP', 'NORMAL_SLEEP', 'DEEP_SLEEP'),
    ConfigurationVersion: short,
    CANPositiveTimeout: short,
    CANSilentDelay: short,
    CANReceiveTimeout: short,
    EncryptType: choice('No_Encryption', 'RSA'),
    EncryptKey: text,
    LockDevice: flag,
    EncryptDataLog: flag,
    NTPServer: text,
  },
  CONFIG_MOBILE: {
    APN: name,
    UseAPN: flag,
    User: text,
    Pass: text,
    PIN: text,
    UsePIN: flag,
    NoCommunicationRestartTimeOut: int,
    RealTimeSource: clock,
    RemoteStorageType: storage,
  },
  CONFIG_WIFI: {
    SSID: name,
    SecurityType: choice('Open', 'WEP', 'WPA', 'WPA2'),
    PSK: text,
    UseDHCP: flag,
    NoCommunicationRestartTimeOut: int,
    RealTimeSource: clock,
    RemoteStorageType: storage,
  },
  CONFIG_S3: {
    S3Type: choice('AWS', 'COMPATIBLE', 'GCS'),
    EndPoint: name,
    Region: name,
    Bucket: name,
    AccessKey: name,
    SecretKey: name,
    ConnectionType: choice('PLAIN', 'SSL'),
    ConnectionPort: whole(1, 0xffff),
    RootCertificate: { kind: 'certificate' },
    EncryptPass: flag,
    KeepLogFilesOnDevice: flag,
    ConfigurationCheckTime: int,
    FirmwareCheckTime: int,
    AutomaticFirmwareUpdate: flag,
    StatusSendTime: int,
    UploadLogs: flag,
    UploadStatus: flag,
  },
};

/** In the order of their lists in BLOCKS; `X` stands in `X_LIST`. */
export const BLOCKS: Readonly<Record<string, BlockFormat>> = {
  SDINTERFACE: {
    MaxLogSize: int,
    MaxLogTime: int,
    LogFormat: choice('InfluxGeneric1'),
    PreLogTime: int,
    PostLogTime: int,
    IsPostTimeFromEnableStart: flag,
    NumberOfLogs: int,
    IsEnableCreateNewLog: flag,
    InitialEnableState: flag,
    EnableUID: reference(),
    DisableUID: reference(),
    PartitionID: byte,
  },
  USBINTERFACE: {},
  CANINTERFACE: {
    Type: choice('CAN', 'CAN_FD'),
    PhysicalNumber: whole(0, 3),
    CANBusSpeed: whole(1, 1_000_000),
    CANFDBusSpeed: whole(0, 8_000_000),
    CANFDNonISO: flag,
    TSeg1: byte,
    TSeg2: byte,
    SJW: byte,
    TSeg1FD: byte,
    TSeg2FD: byte,
    SJWFD: byte,
    SilentMode: flag,
    Autodetect: flag,
    WakeUpOption: choice('NO_WAKE_UP', 'WAKE_UP'),
    SleepOption: choice('NO_SLEEP', 'NORMAL_SLEEP', 'DEEP_SLEEP'),
    SleepNoActivityTime: short,
    Prescaler: byte,
    PrescalerFD: byte,
    UseBitTiming: flag,
    FilterCount: short,
  },
  GNSSINTERFACE: { PhysicalNumber: byte, SamplingRate: whole(1, 0xffff) },
  GNSSMESSAGE: {
    InterfaceUID: reference('GNSSINTERFACE'),
    Type: choice('LATITUDE', 'LONGITUDE', 'DATETIME'),
  },
  CANMESSAGE: {
    MessageIdentStart: int,
    MessageIdentEnd: int,
    Direction: choice('Input'),
    DLC: whole(0, 64),
    IsExtended: flag,
    InterfaceUID: reference('CANINTERFACE'),
    Period: int,
    TriggeringMessageUniqueID: reference(),
    DefaultHex: hex,
    CANFD_Option: choice('NORMAL_CAN', 'FD_CAN', 'FD_FAST_CAN'),
    InputMessageUID: reference(),
    Name: name,
  },
  CANSIGNAL: {
    InputType: choice('MESSAGE'),
    InputUID: reference('CANMESSAGE'),
    MessageUID: reference('CANMESSAGE'),
    StartBit: short,
    BitCount: whole(1, 64),
    Endian: choice('MOTOROLA', 'INTEL'),
    DefaultValue: float,
    ParA: float,
    ParB: float,
    SignalType: choice('UNSIGNED', 'SIGNED', 'FLOAT32', 'FLOAT64'),
    Name: name,
  },
  DAQ: { Number: short, SamplingRate: whole(1, 0xffff_ffff) },
  DAQITEM: { DAQID: reference('DAQ'), Name: name, InputUID: reference('CANSIGNAL', 'GNSSMESSAGE') },
  DAQFILE: {
    Name: name,
    UploadRate: whole(1, 0xffff_ffff),
    InputUID: reference('DAQ'),
    InputTypeID: short,
    FileType: choice('JSON', 'XML'),
  },
  SDMESSAGE: {
    MessageIdentStart: int,
    MessageIdentEnd: int,
    Direction: choice('OutputPeriodic'),
    DLC: whole(0, 64),
    IsExtended: flag,
    InterfaceUID: reference('SDINTERFACE'),
    Period: int,
    TriggeringMessageUniqueID: reference(),
    DefaultHex: hex,
    InputMessageUID: reference('CANMESSAGE', 'GNSSMESSAGE'),
  },
};
