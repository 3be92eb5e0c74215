import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestFrame } from './given-frames.ts';

/** Debian installs python3-can for this interpreter. */
const PYTHON = '/usr/bin/python3';
export const hasPythonCan = spawnSync(PYTHON, ['-c', 'import can']).status === 0;

const SCRIPT = `
import can, json, sys
with can.Logger(sys.argv[1]) as log:
    for kind, us, bus, id, extended, fd, data in json.load(sys.stdin):
        data = bytes.fromhex(data)
        log.on_message_received(can.Message(
            timestamp=us / 1e6, channel=bus, arbitration_id=id, is_extended_id=extended, is_fd=fd, bitrate_switch=fd,
            is_remote_frame=kind == 'remote', is_error_frame=kind == 'error', dlc=len(data),
            data=None if kind == 'remote' else data))
`;

/** Lets python-can write frames, with the time zone Europe/Amsterdam. */
export function writtenByPythonCan(ending: 'asc' | 'blf' | 'trc', frames: readonly TestFrame[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'python-can-'));
  const file = join(folder, `log.${ending}`);
  const input = JSON.stringify(
    frames.map(({ kind, us, bus, id, extended, fd, data }) => [
      kind,
      us,
      bus,
      id,
      extended,
      fd,
      data.toString('hex'),
    ]),
  );
  try {
    execFileSync(PYTHON, ['-c', SCRIPT, file], { input, env: { TZ: 'Europe/Amsterdam' } });
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
