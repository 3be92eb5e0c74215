import { Worker } from 'node:worker_threads';
import { ProblemError } from '#server/platform/problem.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Problem } from '#shared/contract/problem.ts';
import type { definitionTasks } from './definition-tasks.ts';

type Tasks = typeof definitionTasks;
type TaskName = keyof Tasks;

/** Message to the thread. */
export type TaskMessage = { readonly name: TaskName; readonly input: unknown };
/** Answer of the thread. */
export type TaskOutcome =
  | { readonly value: unknown }
  | { readonly problem: Problem }
  | { readonly unreadable: string }
  | { readonly failure: string };

/** A definition whose DBC files or mapping cannot be used. The message is in Dutch, for the user. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly kind: 'unreadable' | 'too long' | 'too large';

  constructor(kind: DefinitionError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Runs tasks of definition-tasks.ts in a worker thread. */
export type DefinitionThread = {
  /**
   * Runs a task.
   * @throws ProblemError of the task; DefinitionError if the definition is unreadable, or the task takes too long or too much memory
   */
  run<Name extends TaskName>(name: Name, input: Parameters<Tasks[Name]>[0]): Promise<ReturnType<Tasks[Name]>>;
};

type Task = {
  readonly worker: Worker;
  resolve(outcome: TaskOutcome): void;
  reject(error: Error): void;
};

/** Maximum memory of the thread. The four DBC files of 4 MiB that a definition may have need half of it. */
const MAX_MEMORY_MIB = 1024;

/**
 * Opens a thread for tasks that parse DBC files, so that neither uploads nor pages wait for these tasks: a file of 4 MiB takes 0.3 s to 0.6
 * s, and its proposals may take as long again. Tasks run one at a time, in the order of the calls. The thread starts at the first task and
 * restarts after it ended. It does not keep an idle process alive.
 * @param longestMs limit of the time of one task; a task that takes longer ends the thread
 * @param mostMemoryMib limit of the thread's heap; a task that needs more ends the thread
 */
export function openDefinitionThread({
  longestMs,
  mostMemoryMib = MAX_MEMORY_MIB,
}: {
  readonly longestMs: number;
  readonly mostMemoryMib?: number;
}): DefinitionThread {
  let thread: Worker | undefined;
  let underWay: Task | undefined;
  const tasks = openSerialQueue();

  function start(): Worker {
    const started = new Worker(new URL('./definition-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMib },
    });
    const task = () => (underWay?.worker === started ? underWay : undefined);
    started.on('message', (outcome: TaskOutcome) => task()?.resolve(outcome));
    started.on('error', (error) => task()?.reject(isOutOfMemory(error) ? tooLarge() : error));
    started.on('exit', (code) => {
      if (thread === started) thread = undefined;
      task()?.reject(new Error(`The thread that reads DBC files ended (${code}).`));
    });
    return started;
  }

  async function outcomeOf(message: TaskMessage): Promise<TaskOutcome> {
    thread ??= start();
    const worker = thread;
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<TaskOutcome>((resolve, reject) => {
        timer = setTimeout(() => reject(tooLong()), longestMs);
        underWay = { worker, resolve, reject };
        worker.postMessage(message);
      });
    } catch (error) {
      thread = undefined;
      void worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      underWay = undefined;
      worker.unref();
    }
  }

  return {
    async run(name, input) {
      return resultOf(await tasks.run(() => outcomeOf({ name, input }))) as never;
    },
  };
}

/** The thread of this process. The largest definition, with four files of 4 MiB, takes some 4 s. */
export const definitionThread = openDefinitionThread({ longestMs: 20_000 });

function resultOf(outcome: TaskOutcome): unknown {
  if ('value' in outcome) return outcome.value;
  if ('problem' in outcome) throw new ProblemError(outcome.problem.code, outcome.problem.message);
  if ('unreadable' in outcome) throw new DefinitionError('unreadable', outcome.unreadable);
  throw new Error(`In the thread that reads DBC files: ${outcome.failure}`);
}

const tooLong = (): DefinitionError =>
  new DefinitionError('too long', 'Het lezen van de DBC-bestanden duurt te lang.');

const tooLarge = (): DefinitionError =>
  new DefinitionError('too large', 'Het lezen van de DBC-bestanden vraagt te veel geheugen.');

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
