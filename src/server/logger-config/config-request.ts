import type { Definition } from '#shared/contract/definition.ts';
import { certificateText, isLoggerText, MAX_CERTIFICATE_BYTES, MAX_LOGGER_TEXT_BYTES } from './fields.ts';

/** All input of a logger's config.xml; the same request gives the same text. */
export type ConfigRequest = {
  /** Serial number of the machine, or the loggerid of an LMB logger: the start of every log file's name. */
  readonly serial: string;
  /** The ReXgen's serial number: 7 digits. */
  readonly loggerSerial: string;
  readonly definition: Definition | undefined;
  readonly upload: UploadTarget;
  readonly network: LoggerNetwork;
  /** New for every file; the logger reports it as `config_GUID` in Status.json. */
  readonly guid: string;
};

/** The portal's upload endpoint, and the access key of this logger. */
export type UploadTarget = {
  readonly endpoint: UploadAddress;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secret: string;
  /** Certificate of the authority that signed the endpoint's certificate, as PEM; '' if there is none. */
  readonly rootCa: string;
};

export type UploadAddress = { readonly host: string; readonly port: number; readonly https: boolean };

/** The network of a logger: either mobile, or the Wi-Fi of its machine's yard. */
export type LoggerNetwork = MobileNetwork | WifiNetwork;

export type MobileNetwork = {
  readonly kind: 'mobile';
  readonly apn: string;
  readonly user: string;
  readonly password: string;
  /** '': the SIM has no PIN. */
  readonly pin: string;
};

/** `password` '': an open network; otherwise WPA2. */
type WifiNetwork = { readonly kind: 'wifi'; readonly ssid: string; readonly password: string };

/**
 * Returns the endpoint that loggers upload to. A path in the address is dropped, because the protocol has host and port only.
 * @param publicUrl http or https
 */
export function uploadAddressOf(publicUrl: string): UploadAddress {
  const { hostname, port, protocol } = new URL(publicUrl);
  const https = protocol === 'https:';
  return { host: hostname, port: port === '' ? (https ? 443 : 80) : Number(port), https };
}

const PEM = /^(-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+\n-----END CERTIFICATE-----\n*)+$/;

/** Returns the reasons why no logger could connect with these settings, in Dutch. */
export function settingsProblems({ loggerSerial, upload, network }: ConfigRequest): string[] {
  const problems: string[] = [];
  if (!/^\d{7}$/.test(loggerSerial)) problems.push('Het serienummer van de logger is zeven cijfers.');
  for (const [what, text] of [...uploadTexts(upload), ...networkTexts(network)])
    if (!isLoggerText(text))
      problems.push(
        `${what} kan niet in de logger: ten hoogste ${MAX_LOGGER_TEXT_BYTES} gewone tekens, geen accenten.`,
      );
  for (const [what, text] of uploadTexts(upload)) if (text === '') problems.push(`${what} ontbreekt.`);
  const certificate = certificateText(upload.rootCa);
  if (certificate !== '' && (!PEM.test(certificate) || certificate.length > MAX_CERTIFICATE_BYTES))
    problems.push('LOGGER_ROOT_CA is geen certificaat in PEM-vorm.');
  if (network.kind === 'mobile') {
    if (network.apn === '') problems.push('De APN van het mobiele netwerk ontbreekt (LOGGER_APN).');
    if (!/^(\d{4,8})?$/.test(network.pin)) problems.push('De pincode van de simkaart is 4 tot 8 cijfers.');
  } else {
    if (!/^.{1,32}$/.test(network.ssid)) problems.push('De naam van het wifi-netwerk is 1 tot 32 tekens.');
    if (!/^(.{8,63})?$/.test(network.password))
      problems.push('Het wifi-wachtwoord is 8 tot 63 tekens, of leeg voor een open netwerk.');
  }
  return problems;
}

/** Returns in Dutch the possible reasons for a logger not to connect that the portal cannot test. */
export function settingsWarnings({ upload, network }: ConfigRequest): string[] {
  const { host, https } = upload.endpoint;
  const warnings: string[] = [];
  if (isLoopback(host))
    warnings.push(`Geen logger kan ${host} bereiken: stel PUBLIC_URL in op het adres van dit portaal.`);
  else if (network.kind === 'mobile' && isPrivate(host))
    warnings.push(
      `${host} is een adres op een lokaal netwerk: over het mobiele netwerk is het onbereikbaar.`,
    );
  if (!https) warnings.push('PUBLIC_URL is http: de logger stuurt zijn gegevens onversleuteld.');
  else if (upload.rootCa === '')
    warnings.push(
      'Zonder LOGGER_ROOT_CA is niet zeker dat de logger het certificaat van dit portaal vertrouwt.',
    );
  return warnings;
}

type Named = readonly [what: string, text: string];

const uploadTexts = ({ endpoint, bucket, accessKey, secret }: UploadTarget): Named[] => [
  ['Het adres van dit portaal', endpoint.host],
  ['De naam van de bucket', bucket],
  ['De sleutel van de logger', accessKey],
  ['Het geheim van de logger', secret],
];

function networkTexts(network: LoggerNetwork): Named[] {
  if (network.kind === 'wifi')
    return [
      ['De naam van het wifi-netwerk', network.ssid],
      ['Het wifi-wachtwoord', network.password],
    ];
  return [
    ['De APN', network.apn],
    ['De gebruikersnaam van de APN', network.user],
    ['Het wachtwoord van de APN', network.password],
  ];
}

export const isLoopback = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(host);

/** Whether a host is private: RFC 1918, link-local, and names that no public resolver knows. */
const isPrivate = (host: string): boolean =>
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])/.test(host) ||
  /^[^.]+$|\.(local|lan|internal)$/.test(host);
