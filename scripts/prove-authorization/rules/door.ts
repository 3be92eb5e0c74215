import { proved, type Rule } from '../rule.ts';

const OF_ANYBODY = '⟦logger_serial = $1→$1::text is not null⟧';

const released = (kind: 'machine' | 'lmb-logger') =>
  `⟦await releaseWriter(client, stream.id, at);⟧
  const { id: streamId, serial: subject, alias${kind === 'machine' ? ': name' : ''} } = stream;`;

/** Who may bring and fetch what at the upload upload endpoint, and where it goes. */
export const endpoint: readonly Rule[] = [
  // What each principal may do at the upload endpoint.
  ...proved('upload-endpoint.pg.test.ts', {
    'door: nothing without a signature': "⟦if (!authorization) throw new S3Error('AccessDenied');⟧",
    'door: only into and out of one’s own folder':
      "⟦if (!isInOwnFolder(key, credential.loggerSerial)) throw new S3Error('AccessDenied');⟧",
    'door: loggers delete nothing': "⟦throw new S3Error('AccessDenied', 'Loggers cannot delete.');→return;⟧",
    'door: a list is of one’s own objects': `where ${OF_ANYBODY} and starts_with(key, $2)`,
    'door: one’s own object, without its content': `from object, writer_key k where ${OF_ANYBODY} and key = $2`,
    'keys: one that is withdrawn during an upload stores nothing': [
      '⟦if (!key) throw new KeyWithdrawn();⟧',
      'const key = ⟦await directory.key(accessKey)→credential as LoggerKey⟧; // Withdrawn',
    ],
    'keys: they end with the binding': 'where writer_id = any($1) and retired_at is null⟦→ and false⟧',
    'keys: the older ones end with the first use of a new one':
      'set retired_at = now() where ⟦→false and⟧ writer_id = used.writer_id',
    'keys: those of a deleted machine end': released('machine'),
  }),
  ...proved('upload-endpoint.test.ts', {
    'door: nothing with an unknown key': "⟦if (!credential) throw new S3Error('InvalidAccessKeyId');⟧",
    'door: the signature is the secret’s': '⟦if (!isSigned(message)) throw wrongSignature();⟧',
    'door: a signature is of the last 15 minutes':
      "⟦if (!isInTime) throw new S3Error('RequestTimeTooSkewed');⟧",
  }),
  ...proved('sigv4.test.ts', {
    'door: host and x-amz headers are signed': '⟦requireSigned(headers, authorization.signedHeaders);⟧',
    'door: a signature is for S3': "if (authorization.service ⟦!== 's3'→=== ''⟧) {",
    'door: a signing key is of the day of the request':
      "if (⟦!time.timestamp.startsWith(date)→date === ''⟧) {",
  }),
  ...proved('aws-chunked-signatures.test.ts', {
    'door: every chunk is signed':
      "⟦if (!isSignature(key, text, signature)) throw new S3Error('SignatureDoesNotMatch', 'A chunk signature is wrong.');⟧",
  }),
  ...proved('upload-bodies.test.ts', {
    'door: the body is the one that was signed':
      'const computed = ⟦verifyChecksum(checksum, sink)→sink.digest(checksum.name)⟧;',
  }),
  ...proved('object-key.test.ts', {
    'door: a folder is of the very serial number': '.⟦endsWith→includes⟧(`_SN',
  }),
  ...proved('stored-objects.pg.test.ts', {
    'door: nothing of what a logger brought for another machine':
      "= `⟦modified_at >= (select created_at from writer where logger_serial = $1 and valid_to = 'infinity')→$1::text is not null⟧`;",
  }),
  ...proved('upload-keys.pg.test.ts', {
    'keys: a withdrawn one opens nothing': 'where k.access_key = any ($1) ⟦and k.retired_at is null⟧',
    'keys: what is remembered of them is forgotten when it changes':
      '⟦for (const map of [keys, bindings, definitions]) map.clear();⟧',
  }),
  ...proved('moving-loggers.pg.test.ts', {
    'readings: they go to what the logger was bound to then':
      'bindings.⟦find(({ from, to }) => from <= time && time < to)→at(-1)⟧',
  }),
  ...proved('held-readings.pg.test.ts', {
    'readings: of another organization’s machine they wait':
      'if (⟦binding.organizationId !== present?.organizationId→present === undefined && false⟧)',
    'readings: whose a machine is follows who has it now':
      "from writer w join ownership o on o.stream_id = w.stream_id and ⟦o.valid_to = 'infinity'→o.valid_from = '-infinity'⟧ where w.logger_serial = any ($1)",
  }),
  ...proved('sold-logger.pg.test.ts', {
    'readings: a key from after a sale writes nothing of before it':
      'if ( formerOwner && ⟦formerOwner.until <= key.createdAt→false⟧ &&',
    'objects: those of a former owner’s time are not shown':
      "} ⟦and modified_at >= ( select o.valid_from from writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity' where w.logger_serial = $1 and w.valid_to = 'infinity' )⟧",
    'objects: a key that a former owner may know learns no times':
      'extract(epoch from case when ⟦k.replace_by is null→true⟧ then modified_at else',
    'objects: a key that a former owner may know learns no metadata':
      'case when ⟦k.replace_by is null→true⟧ then metadata else',
    'objects: after its 30 days a key that a former owner may know learns nothing':
      'k.access_key = $3 ⟦and (k.replace_by is null or k.replace_by > now())⟧',
    'objects: a key that a former owner may know lists none':
      'exists (select from writer_key where access_key = $5 ⟦and replace_by is null⟧)',
    'keys: a machine that is sold asks for a new one':
      'const needsNewKey = ⟦await requireNewKey(client, stream.id, now)→client === undefined⟧;',
    'keys: what an overdue one signs is quarantined':
      '=> ⟦now >= replaceBy→now > Number.MAX_VALUE * replaceBy⟧;',
    'keys: decoding again leaves out what an overdue one signed':
      'log_stored_at is not null ⟦and not is_withheld⟧ and',
    'configuration: it never holds a key that a former owner may know':
      'where writer_id = $1 and retired_at is null ⟦and replace_by is null⟧ order by created_at desc limit 1`, [writerId]',
  }),
  ...proved('former-loggers.pg.test.ts', {
    'keys: one that comes back after a sale is to be replaced':
      "select now() + make_interval(days => $3) from writer w join ownership o on o.stream_id = w.stream_id where w.id = $1 and o.valid_to = 'infinity' and ⟦o.valid_from > k.created_at→false⟧",
  }),
  ...proved('plain-http.pg.test.ts', {
    'door: over plain http the signature is of the body':
      'if (⟦!overHttps && !isSigned(framing) && !isCovered→overHttps === undefined⟧) {',
    'door: https is what a trusted proxy says':
      "const told = ⟦trustProxy→true⟧ ? String(headers['x-forwarded-proto']",
  }),
  ...proved('take-over.pg.test.ts', {
    'readings: taken over are those of the very logger':
      'where id = $2 and ⟦logger_serial = $1→$1::text is not null⟧ and held_count',
    'readings: taken over are those only that were held':
      "⟦if (time < from || time > to) return { kind: 'left out' };⟧",
  }),
  ...proved('key-withdrawal.pg.test.ts', {
    'keys: the older ones end at once when they leaked':
      '⟦if (body.withdraw) await withdrawOtherKeys(client, writerId, accessKey);⟧',
  }),
  ...proved('lmb-loggers.pg.test.ts', {
    'keys: those of a deleted LMB logger end': released('lmb-logger'),
  }),
  ...proved('delete-machine.pg.test.ts', {
    'readings: of a removed machine’s time they are nobody else’s':
      "⟦coalesce((select until from former_logger where logger_serial = $2), '-infinity')→'-infinity'::timestamptz⟧",
  }),
];
