import type { UploadTarget } from '#server/logger-config/config-request.ts';
import { childOf, readXml, type XmlElement } from '#server/logger-config/xml.ts';

/** The upload settings of a logger that runs this config.xml. For tests that stand in for a logger. */
export type UploadSettings = UploadTarget & {
  readonly guid: string;
  /** Keys of the logger's snapshot, in the order of config.xml. */
  readonly snapshotNames: readonly string[];
  readonly snapshotSeconds: number;
};

/**
 * Reads the upload settings of a logger from its configuration.
 * @throws XmlError for invalid XML
 * @throws Error for a configuration without one of these settings
 */
export function readUploadSettings(xml: string): UploadSettings {
  const root = readXml(xml);
  const s3 = childOf(root, 'CONFIG_S3');
  const blocks = childOf(root, 'BLOCKS');
  return {
    endpoint: {
      host: field(s3, 'EndPoint'),
      port: Number(field(s3, 'ConnectionPort')),
      https: field(s3, 'ConnectionType') === 'SSL',
    },
    bucket: field(s3, 'Bucket'),
    accessKey: field(s3, 'AccessKey'),
    secret: field(s3, 'SecretKey'),
    rootCa: field(s3, 'RootCertificate'),
    guid: field(childOf(root, 'CONFIG'), 'GUID'),
    snapshotNames: childOf(blocks, 'DAQITEM_LIST')?.children.map((item) => field(item, 'Name')) ?? [],
    snapshotSeconds: Number(field(childOf(blocks, 'DAQFILE_LIST')?.children[0], 'UploadRate')),
  };
}

function field(element: XmlElement | undefined, name: string): string {
  const found = childOf(element, name);
  if (found === undefined) throw new Error(`This configuration has no ${name}.`);
  return found.text;
}
