import type { Definition } from '#shared/contract/definition.ts';

/** Everything that a logger's config.xml is made of; the same request gives the same text. */
export type ConfigRequest = {
  /** Of the machine, or the loggerid of an LMB logger: the front of every log file's name. */
  readonly serial: string;
  /** The ReXgen's own 7 digits. */
  readonly loggerSerial: string;
  readonly definition: Definition | undefined;
  readonly upload: UploadTarget;
  readonly network: LoggerNetwork;
  /** New for every file; the logger tells it back as `config_GUID` in Status.json. */
  readonly guid: string;
};

/** The portal's upload door, and this logger's own key. */
export type UploadTarget = {
  readonly endpoint: Endpoint;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secret: string;
  /** PEM, of the authority that signed the endpoint's certificate; '' when there is none to give. */
  readonly rootCa: string;
};

export type Endpoint = { readonly host: string; readonly port: number; readonly https: boolean };

/** A logger has one way out: the mobile network, or the Wi-Fi of its machine's yard. */
export type LoggerNetwork = MobileNetwork | WifiNetwork;

export type MobileNetwork = {
  readonly kind: 'mobile';
  readonly apn: string;
  readonly user: string;
  readonly password: string;
  /** '': the SIM asks for none. */
  readonly pin: string;
};

/** `password` '': an open network; otherwise WPA2. */
export type WifiNetwork = { readonly kind: 'wifi'; readonly ssid: string; readonly password: string };

/**
 * Where PUBLIC_URL sends a logger. The protocol knows host and port only, so a path in it is not taken along.
 * @param publicUrl http or https
 */
export function endpointOf(publicUrl: string): Endpoint {
  const { hostname, port, protocol } = new URL(publicUrl);
  const https = protocol === 'https:';
  return { host: hostname, port: port === '' ? (https ? 443 : 80) : Number(port), https };
}
