import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { readUploadSettings } from '#server/logger-config/test/upload-settings.ts';

/** Returns a function that uploads a snapshot to the address and with the key of a logger's config.xml. */
export function makeSnapshotUploader(xml: string, serial: string) {
  const { endpoint, bucket, accessKey, secret } = readUploadSettings(xml);
  const client = new S3Client({
    endpoint: `${endpoint.https ? 'https' : 'http'}://${endpoint.host}:${endpoint.port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secret },
  });
  // Gives each snapshot a different second, because the portal keeps only the first of two snapshots with the same time.
  let second = 0;
  return (signals: Record<string, number>) => {
    second = Math.max(second + 1, Math.floor(Date.now() / 1000));
    const Body = JSON.stringify({ GMT_UNIX: second, ...signals });
    return client.send(
      new PutObjectCommand({ Bucket: bucket, Key: `ReXgen_SN${serial}/snapshot.json`, Body }),
    );
  };
}
