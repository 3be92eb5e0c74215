import { isLoopback, type UploadTarget } from './config-request.ts';

/** Longest endpoint that the CANedge accepts, in characters. */
const MAX_ENDPOINT_CHARACTERS = 128;
/** Any value: the portal accepts every region. */
const REGION = 'us-east-1';

/**
 * Returns the S3 section of a CANedge's configuration file, as CSS Electronics' schema (firmware 01.04 to 01.09) defines it. It contains
 * the logger's secret in the clear. `ota` is off, because the portal offers no configuration or firmware.
 */
export function canedgeSettings({ endpoint, bucket, accessKey, secret }: UploadTarget): string {
  const { host, port, https } = endpoint;
  const server = {
    endpoint: `${https ? 'https' : 'http'}://${host}`,
    port,
    bucket,
    region: REGION,
    request_style: PATH_STYLE,
    accesskey: accessKey,
    keyformat: PLAIN,
    secretkey: secret,
    // The upload endpoint rejects unsigned payloads over http.
    signed_payload: https ? 0 : 1,
  };
  const s3 = { sync: { ota: 0, heartbeat: HEARTBEAT_SECONDS, logfiles: 1 }, server };
  return `${JSON.stringify({ connect: { s3 } }, undefined, 2)}\n`;
}

const PATH_STYLE = 0;
const PLAIN = 0;
const HEARTBEAT_SECONDS = 300;

/** Returns the reasons why no CANedge could connect with these settings, in Dutch. */
export const canedgeProblems = ({ endpoint: { host } }: UploadTarget): string[] =>
  host.length + 'https://'.length > MAX_ENDPOINT_CHARACTERS
    ? [`Het adres van dit portaal is te lang voor de CANedge: ten hoogste ${MAX_ENDPOINT_CHARACTERS} tekens.`]
    : [];

/** Returns Dutch warnings about settings that the portal cannot test itself. */
export function canedgeWarnings({ endpoint: { host, https } }: UploadTarget): string[] {
  const warnings: string[] = [];
  if (isLoopback(host))
    warnings.push(`Geen logger kan ${host} bereiken: stel PUBLIC_URL in op het adres van dit portaal.`);
  warnings.push(
    https
      ? 'Zet het certificaat van dit portaal op de CANedge, anders vertrouwt hij het niet.'
      : 'PUBLIC_URL is http: de logger stuurt zijn gegevens onversleuteld.',
  );
  return warnings;
}
