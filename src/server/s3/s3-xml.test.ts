import { expect, test } from 'vitest';
import { S3Error } from './s3-error.ts';
import { aclXml, bucketsXml, errorXml, listingXml, locationXml } from './s3-xml.ts';

test("an error is written in S3's form (INGEST-01)", () => {
  expect(errorXml(new S3Error('NoSuchKey'), '/telemetry/a&b', 'ID1')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>' +
      '<Message>The specified key does not exist.</Message><Resource>/telemetry/a&amp;b</Resource>' +
      '<RequestId>ID1</RequestId></Error>',
  );
});

test("a listing is written in S3's form (INGEST-01)", () => {
  const object = { key: 'a<b', size: 3, etag: '900150983cd24fb0d6963f7d28e17f72', lastModified: 0 };
  expect(
    listingXml(
      [
        ['Name', 'telemetry'],
        ['Marker', ''],
        ['NextMarker', undefined],
      ],
      [object],
      ['c&/'],
    ),
  ).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      '<Name>telemetry</Name><Marker></Marker>' +
      '<Contents><Key>a&lt;b</Key><LastModified>1970-01-01T00:00:00.000Z</LastModified>' +
      '<ETag>&quot;900150983cd24fb0d6963f7d28e17f72&quot;</ETag><Size>3</Size>' +
      '<StorageClass>STANDARD</StorageClass></Contents>' +
      '<CommonPrefixes><Prefix>c&amp;/</Prefix></CommonPrefixes></ListBucketResult>',
  );
});

test('the XML of buckets, location and ACL has the elements of S3 (INGEST-01)', () => {
  expect(bucketsXml('telemetry', '0000001', 0)).toContain(
    '<Bucket><Name>telemetry</Name><CreationDate>1970-',
  );
  expect(locationXml()).toContain('<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>');
  expect(aclXml('0000001')).toContain(
    '<ID>0000001</ID><DisplayName>0000001</DisplayName></Grantee><Permission>FULL_',
  );
});
