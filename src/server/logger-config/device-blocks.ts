import type { ConfigRequest, LoggerNetwork, UploadTarget } from './config-request.ts';
import { certificateText, configName } from './logger-text.ts';
import { block, type XmlElement } from './xml-element.ts';

/** The logger as a whole; the values that are not ours are those of the vendor's examples. */
export const deviceBlock = (uid: number, { guid, serial, network }: ConfigRequest): XmlElement =>
  block('CONFIG', uid, {
    GUID: guid,
    InterfaceCount: 14,
    Name: configName(serial),
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
    NTPServer: network.kind === 'wifi' ? TIME_SERVER : '',
  });

/** Over Wi-Fi there is no network operator to tell the time, and a signature is good for minutes only. */
const TIME_SERVER = 'pool.ntp.org';
/** Seconds without any connection after which the logger's modem starts anew. */
const RESTART_AFTER = 3600;

export function networkBlock(uid: number, network: LoggerNetwork): XmlElement {
  if (network.kind === 'wifi')
    return block('CONFIG_WIFI', uid, {
      SSID: network.ssid,
      SecurityType: network.password === '' ? 'Open' : 'WPA2',
      PSK: network.password,
      UseDHCP: true,
      NoCommunicationRestartTimeOut: RESTART_AFTER,
      RealTimeSource: 'NTP',
      RemoteStorageType: 'S3',
    });
  return block('CONFIG_MOBILE', uid, {
    APN: network.apn,
    UseAPN: true,
    User: network.user,
    Pass: network.password,
    PIN: network.pin,
    UsePIN: network.pin !== '',
    NoCommunicationRestartTimeOut: RESTART_AFTER,
    RealTimeSource: 'Mobile',
    RemoteStorageType: 'S3',
  });
}

/** Any region does: our door reads it from the signature. Times in seconds. */
export const uploadBlock = (uid: number, upload: UploadTarget): XmlElement =>
  block('CONFIG_S3', uid, {
    S3Type: 'COMPATIBLE',
    EndPoint: upload.endpoint.host,
    Region: 'eu-central-1',
    Bucket: upload.bucket,
    AccessKey: upload.accessKey,
    SecretKey: upload.secret,
    ConnectionType: upload.endpoint.https ? 'SSL' : 'PLAIN',
    ConnectionPort: upload.endpoint.port,
    RootCertificate: certificateText(upload.rootCa),
    EncryptPass: false,
    KeepLogFilesOnDevice: true,
    ConfigurationCheckTime: 3600,
    FirmwareCheckTime: 86_400,
    AutomaticFirmwareUpdate: false,
    StatusSendTime: 300,
    UploadLogs: true,
    UploadStatus: true,
  });
