import { buildConfig, J1939_BLOCK_COUNT, POSITION_ITEM_COUNT } from './build-config.ts';
import { checkConfig } from './check-config.ts';
import { type ConfigRequest, settingsProblems, settingsWarnings } from './config-request.ts';
import { MAX_BLOCKS } from './fields.ts';
import { planSignals, type SignalPlan } from './signal-plan.ts';
import { writeXml } from './xml.ts';

/** The text of config.xml, or the problems that prevent it. `problems` and `warnings` are Dutch sentences for the administrator. */
export type LoggerConfig =
  | { readonly ok: true; readonly xml: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** Maximum number of signals: the portal reads 1,000 keys per snapshot (telemetry/decode/snapshot.ts), and the logger adds RTC_UNIX. */
const MAX_SNAPSHOT_SIGNALS = 1000 - POSITION_ITEM_COUNT - 1;

/**
 * Makes the configuration of a ReXgen logger (docs/logger-config.md). Pure: the same request gives the same text. The result
 * contains the logger's secret in clear text.
 * @throws Error if the result does not pass the portal's own checks, which means a bug, never an error of the request
 */
export function makeLoggerConfig(request: ConfigRequest): LoggerConfig {
  const plan = planSignals(request.definition);
  const warnings = [...plan.warnings, ...settingsWarnings(request)];
  const problems = [...plan.problems, ...settingsProblems(request), ...sizeProblems(plan)];
  if (problems.length > 0) return { ok: false, problems, warnings };

  const xml = writeXml(buildConfig(request, plan.buses));
  const errors = checkConfig(xml);
  if (errors.length > 0) throw new Error(`config.xml does not pass our own checks: ${errors.join('; ')}`);
  return { ok: true, xml, warnings };
}

/** Blocks CONFIG, network, upload, storage, USB, receiver, DAQ and DAQFILE; and for each position item a message, an item and a record. */
const FIXED_BLOCKS = 8 + 3 * POSITION_ITEM_COUNT;

function sizeProblems({ buses }: SignalPlan): string[] {
  const messages = buses.flatMap((bus) => bus.messages);
  const signals = messages.reduce((sum, message) => sum + message.signals.length, 0);
  const j1939 = J1939_BLOCK_COUNT * buses.filter(({ hasJ1939 }) => hasJ1939).length;
  const blocks = FIXED_BLOCKS + buses.length + 2 * messages.length + 2 * signals + j1939;
  const problems: string[] = [];
  if (signals > MAX_SNAPSHOT_SIGNALS)
    problems.push(
      `Er zijn ${signals} signalen gekoppeld; een momentopname heeft er ten hoogste ${MAX_SNAPSHOT_SIGNALS}.`,
    );
  if (blocks > MAX_BLOCKS)
    problems.push(`De datadefinitie vraagt ${blocks} blokken; de logger kent er ten hoogste ${MAX_BLOCKS}.`);
  return problems;
}
