import { z } from 'zod';

/** The file of upload keys that scripts/demo-seed.ts writes: the upload bucket, and the key pair of each logger. */
const LoggerKeysFile = z.object({
  bucket: z.string().min(1),
  loggers: z
    .array(
      z.object({
        loggerSerial: z.string().regex(/^\d{7}$/, 'seven digits'),
        accessKey: z.string().min(1),
        secret: z.string().min(1),
        /** GUID of the configuration that the portal made for the logger; the logger reports it in Status.json. */
        configGuid: z.string().default('00000000-0000-4000-8000-000000000000'),
      }),
    )
    .min(1),
});

export type LoggerKeys = z.output<typeof LoggerKeysFile>;

/** Parses the file of upload keys. @throws Error without any secret in its message */
export function parseLoggerKeys(text: string): LoggerKeys {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('the keys file is not JSON');
  }
  const result = LoggerKeysFile.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new Error(`the keys file is wrong at ${issue.path.join('.') || 'its top'}: ${issue.message}`);
}
