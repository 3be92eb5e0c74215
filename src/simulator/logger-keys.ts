import { z } from 'zod';

/** The file that the demo's seed writes: where the loggers upload, and the key pair of each. */
const LoggerKeysFile = z.object({
  bucket: z.string().min(1),
  loggers: z
    .array(
      z.object({
        loggerSerial: z.string().regex(/^\d{7}$/, 'seven digits'),
        accessKey: z.string().min(1),
        secret: z.string().min(1),
        /** GUID of the configuration that the portal made for it; then Status.json reports that one. */
        configGuid: z.string().default('00000000-0000-4000-8000-000000000000'),
      }),
    )
    .min(1),
});

export type LoggerKeys = z.output<typeof LoggerKeysFile>;

/** The keys in a text. Throws an error that names what is wrong, without any secret. */
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
