import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Logger } from '#server/test/loggers.ts';

/** Uploads by Amazon's own client, which does not try again. @returns the status */
export function uploaderTo(
  { port }: { readonly port: number },
  { accessKey, secret, loggerSerial }: Logger,
): (name: string, body: Buffer | string) => Promise<number> {
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: accessKey, secretAccessKey: secret },
  });
  return (name, Body) =>
    client.send(new PutObjectCommand({ Bucket: 'telemetry', Key: `K_SN${loggerSerial}/${name}`, Body })).then(
      ({ $metadata }) => $metadata.httpStatusCode ?? 0,
      (error: { $metadata?: { httpStatusCode?: number } }) => error.$metadata?.httpStatusCode ?? 0,
    );
}
