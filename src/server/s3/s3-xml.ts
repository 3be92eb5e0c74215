import { escapeXmlText } from '#server/platform/xml-text.ts';
import type { S3Error } from './s3-error.ts';
import type { UploadPart } from './upload-backend.ts';

/** All shapes follow the Amazon S3 API Reference: the answer of the action that each docstring names. */
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

/** Replaces a character that XML 1.0 cannot contain. */
const REPLACEMENT = '\ufffd';

const element = (name: string, text: string | number | boolean): string =>
  `<${name}>${typeof text === 'string' ? escapeXmlText(text, REPLACEMENT) : text}</${name}>`;

/**
 * Returns the body of a refusal (Amazon S3 API Reference, "Error responses").
 * @param resource the decoded path of the request
 */
export function errorXml(error: S3Error, resource: string, requestId: string): string {
  const fields =
    element('Code', error.code) +
    element('Message', error.message) +
    element('Resource', resource) +
    element('RequestId', requestId);
  return `${DECLARATION}<Error>${fields}</Error>`;
}

/** Returns the answer to ListBuckets. @param createdAt milliseconds since 1970 */
export function bucketsXml(bucket: string, ownerId: string, createdAt: number): string {
  const created = element('CreationDate', new Date(createdAt).toISOString());
  const buckets = `<Buckets><Bucket>${element('Name', bucket)}${created}</Bucket></Buckets>`;
  return `${DECLARATION}<ListAllMyBucketsResult ${NAMESPACE}>${ownerXml(ownerId)}${buckets}</ListAllMyBucketsResult>`;
}

/** Returns the answer to GetBucketLocation. Empty means us-east-1; the upload endpoint accepts any region. */
export const locationXml = (): string => `${DECLARATION}<LocationConstraint ${NAMESPACE}/>`;

/** Returns the answer to GetBucketVersioning. Empty means never enabled. */
export const versioningXml = (): string => `${DECLARATION}<VersioningConfiguration ${NAMESPACE}/>`;

/** Returns the answer to GetBucketAcl and GetObjectAcl: full control for the logger, nothing for others. */
export function aclXml(ownerId: string): string {
  const grantee =
    '<Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">' +
    `${element('ID', ownerId)}${element('DisplayName', ownerId)}</Grantee>`;
  const grant = `<Grant>${grantee}<Permission>FULL_CONTROL</Permission></Grant>`;
  const list = `<AccessControlList>${grant}</AccessControlList>`;
  return `${DECLARATION}<AccessControlPolicy ${NAMESPACE}>${ownerXml(ownerId)}${list}</AccessControlPolicy>`;
}

type ListedObject = {
  readonly key: string;
  readonly size: number;
  /** Hexadecimal MD5. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
};

type Fields = readonly (readonly [name: string, value: string | number | boolean | undefined])[];

/** Writes the fields in order, without undefined ones. */
const elements = (fields: Fields): string =>
  fields.map(([name, value]) => (value === undefined ? '' : element(name, value))).join('');

/**
 * Returns the answer to ListObjects.
 * @param fields the elements for the echoed parameters and cursors of the request
 */
export function listingXml(
  fields: Fields,
  objects: readonly ListedObject[],
  commonPrefixes: readonly string[],
): string {
  let inner = elements(fields);
  for (const object of objects) {
    const modified = element('LastModified', new Date(object.lastModified).toISOString());
    const etag = element('ETag', `"${object.etag}"`);
    const size = element('Size', object.size);
    const key = element('Key', object.key);
    inner += `<Contents>${key}${modified}${etag}${size}<StorageClass>STANDARD</StorageClass></Contents>`;
  }
  for (const prefix of commonPrefixes)
    inner += `<CommonPrefixes>${element('Prefix', prefix)}</CommonPrefixes>`;
  return `${DECLARATION}<ListBucketResult ${NAMESPACE}>${inner}</ListBucketResult>`;
}

/** Returns the answer to CreateMultipartUpload and CompleteMultipartUpload. */
export const uploadXml = (
  result: 'InitiateMultipartUploadResult' | 'CompleteMultipartUploadResult',
  fields: Fields,
): string => `${DECLARATION}<${result} ${NAMESPACE}>${elements(fields)}</${result}>`;

/**
 * Returns the answer to ListParts.
 * @param fields the elements for the echoed parameters and cursors, as for listingXml()
 */
export function partsXml(fields: Fields, parts: readonly UploadPart[], ownerId: string): string {
  const initiator = `<Initiator>${element('ID', ownerId)}${element('DisplayName', ownerId)}</Initiator>`;
  let inner = elements(fields) + initiator + ownerXml(ownerId) + element('StorageClass', 'STANDARD');
  for (const { number, lastModified, etag, size } of parts) {
    const modified = element('LastModified', new Date(lastModified).toISOString());
    inner += `<Part>${element('PartNumber', number)}${modified}${element('ETag', `"${etag}"`)}${element('Size', size)}</Part>`;
  }
  return `${DECLARATION}<ListPartsResult ${NAMESPACE}>${inner}</ListPartsResult>`;
}

const ownerXml = (id: string): string => `<Owner>${element('ID', id)}${element('DisplayName', id)}</Owner>`;
