import { answerXml, type RequestExchange, sendAnswer } from './exchange.ts';
import { listObjectPage, listObjectsXml, readListQuestion } from './listing.ts';
import { S3Error, type S3ErrorCode } from './s3-error.ts';
import type { QueryPair } from './s3-request.ts';
import { aclXml, bucketsXml, locationXml, versioningXml } from './s3-xml.ts';
import type { Credential, UploadBackend } from './upload-backend.ts';

/** Sub-resources that this bucket does not have; s3cmd and rclone request them by `GET ?name`. */
const ABSENT = new Map<string, S3ErrorCode>([
  ['policy', 'NoSuchBucketPolicy'],
  ['cors', 'NoSuchCORSConfiguration'],
  ['lifecycle', 'NoSuchLifecycleConfiguration'],
  ['tagging', 'NoSuchTagSet'],
  ['replication', 'ReplicationConfigurationNotFoundError'],
  ['encryption', 'ServerSideEncryptionConfigurationNotFoundError'],
]);

/**
 * Sub-resources of S3 that the upload endpoint does not support on the bucket; `uploadId` and `uploads` belong to objects
 * (multipart-routes.ts).
 */
const NOT_BUILT = new Set([
  'accelerate',
  'analytics',
  'attributes',
  'delete',
  'intelligent-tiering',
  'inventory',
  'legal-hold',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'ownershipControls',
  'partNumber',
  'policyStatus',
  'publicAccessBlock',
  'renameObject',
  'requestPayment',
  'restore',
  'retention',
  'select',
  'session',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versions',
  'website',
]);

/**
 * Answers a GET for a sub-resource (`?acl`, `?location` …) of the bucket or of an object.
 * @returns false when the query names none: the request is for the bucket or object itself
 * @throws S3Error NotImplemented, NoSuch…
 */
export function getSubresource(
  exchange: RequestExchange,
  credential: Credential,
  query: readonly QueryPair[],
): boolean {
  for (const [name] of query) {
    const absent = ABSENT.get(name);
    if (absent) throw new S3Error(absent);
    if (NOT_BUILT.has(name)) throw new S3Error('NotImplemented');
    if (name === 'acl') answerXml(exchange, aclXml(credential.loggerSerial));
    else if (name === 'location') answerXml(exchange, locationXml());
    else if (name === 'versioning') answerXml(exchange, versioningXml());
    else continue;
    return true;
  }
  return false;
}

/** Refuses sub-resources for methods other than GET. @throws S3Error NotImplemented */
export function refuseSubresource(query: readonly QueryPair[]): void {
  for (const [name] of query) {
    const known = name === 'acl' || name === 'location' || name === 'versioning' || ABSENT.has(name);
    if (known || NOT_BUILT.has(name)) throw new S3Error('NotImplemented');
  }
}

/** Answers ListBuckets with the upload bucket, the only one. */
export function listBuckets(backend: UploadBackend, exchange: RequestExchange, credential: Credential): void {
  answerXml(exchange, bucketsXml(backend.bucket, credential.loggerSerial, 0));
}

/** Answers HeadBucket. */
export const headBucket = (exchange: RequestExchange): void => sendAnswer(exchange, 200, {});

/** Answers ListObjects and ListObjectsV2 with the logger's own objects. @throws S3Error InvalidArgument */
export async function listObjects(
  backend: UploadBackend,
  exchange: RequestExchange,
  credential: Credential,
  query: readonly QueryPair[],
): Promise<void> {
  const question = readListQuestion(query);
  const listing = await listObjectPage(question, (page) => backend.objects.list(credential, page));
  answerXml(exchange, listObjectsXml(backend.bucket, question, listing));
}
