import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

/** Runs installed S3 clients that are not from npm. */
const run = promisify(execFile);

/**
 * Environment of the clients: without AWS_CA_BUNDLE, with which Debian's rclone refuses to start, and without a developer's own settings.
 */
const ENVIRONMENT = { PATH: process.env.PATH, HOME: tmpdir(), RCLONE_CONFIG: '/dev/null' };

type Key = { readonly accessKey: string; readonly secret: string };

export const hasRclone = spawnSync('rclone', ['version'], { env: ENVIRONMENT }).status === 0;
/** Suffix for the titles of tests. */
export const RCLONE_SKIP_SUFFIX = hasRclone ? '' : ' (skipped: rclone is not installed)';

/** Runs rclone; its remote for the bucket is `portal:telemetry`. @returns its output */
export async function runRclone(
  address: string,
  { accessKey, secret }: Key,
  ...args: string[]
): Promise<string> {
  const env = {
    ...ENVIRONMENT,
    RCLONE_CONFIG_PORTAL_TYPE: 's3',
    RCLONE_CONFIG_PORTAL_PROVIDER: 'Other',
    RCLONE_CONFIG_PORTAL_ENDPOINT: address,
    RCLONE_CONFIG_PORTAL_ACCESS_KEY_ID: accessKey,
    RCLONE_CONFIG_PORTAL_SECRET_ACCESS_KEY: secret,
    RCLONE_CONFIG_PORTAL_REGION: 'eu-west-1',
  };
  const { stdout } = await run('rclone', ['--retries', '1', '--low-level-retries', '1', ...args], { env });
  return stdout;
}

export const hasS3cmd = spawnSync('s3cmd', ['--version'], { env: ENVIRONMENT }).status === 0;
export const S3CMD_SKIP_SUFFIX = hasS3cmd ? '' : ' (skipped: s3cmd is not installed)';

/** Runs s3cmd; the bucket is `s3://telemetry`. @returns its output */
export async function runS3cmd(
  address: string,
  { accessKey, secret }: Key,
  ...args: string[]
): Promise<string> {
  const { host } = new URL(address);
  const settings = [
    '--config=/dev/null',
    '--no-ssl',
    `--host=${host}`,
    `--host-bucket=${host}`,
    `--access_key=${accessKey}`,
    `--secret_key=${secret}`,
  ];
  const { stdout } = await run('s3cmd', [...settings, ...args], { env: ENVIRONMENT });
  return stdout;
}
