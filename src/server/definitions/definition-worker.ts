/** Worker thread that reads DBC files, one task at a time (definition-thread.ts). */
import { parentPort } from 'node:worker_threads';
import { ProblemError } from '#server/platform/problem.ts';
import { DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { MappingError } from '#server/telemetry/decode/mapping.ts';
import { definitionTasks } from './definition-tasks.ts';
import type { TaskMessage, TaskOutcome } from './definition-thread.ts';

parentPort?.on('message', ({ name, input }: TaskMessage) => parentPort?.postMessage(outcomeOf(name, input)));

function outcomeOf(name: TaskMessage['name'], input: unknown): TaskOutcome {
  try {
    return { value: definitionTasks[name](input as never) };
  } catch (error) {
    // An error crosses the port as text: its message, or its stack if the error is unexpected.
    const { message, stack = message } = error as Error;
    if (error instanceof ProblemError) return { problem: { code: error.code, message } };
    if (error instanceof DbcError || error instanceof MappingError) return { unreadable: message };
    return { failure: stack };
  }
}
