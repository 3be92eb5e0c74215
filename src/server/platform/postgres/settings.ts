import os from 'node:os';

const MIB = 1024 * 1024;

/** Bytes this process may use: the machine's, or the container's where that is less. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(os.totalmem(), constrained) : os.totalmem();
}

/**
 * The server's settings as `name=value`, for `postgres -c`; they win over postgresql.conf.
 * fsync and synchronous_commit are what "acknowledged" means (docs/design.md sections 6 and 7).
 * @param memoryBytes see availableMemory
 */
export function serverSettings(memoryBytes: number): string[] {
  const sharedBuffersMib = memoryBytes >= 2048 * MIB ? 256 : Math.max(16, Math.floor(memoryBytes / MIB / 8));
  return [
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    `shared_buffers=${sharedBuffersMib}MB`,
    'max_wal_size=2GB',
    'wal_compression=pglz',
    'max_connections=100',
    // Short queries: compiling costs more than it saves.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'cluster_name=werkstroom',
    'logging_collector=off',
    'log_destination=stderr',
    'log_checkpoints=off',
    // DETAIL and STATEMENT hold the values of rows: people's e-mail addresses among them.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
  ];
}
