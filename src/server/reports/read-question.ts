import { invalidInputError } from '#server/platform/problem.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import { parseJson } from '#shared/domain/outside-json.ts';
import { type ReportKind, supportsHourLimits } from '#shared/domain/reports/kinds.ts';
import { daysBetween, MAX_SIGNALS, type ReportStep, reportRangeMs } from '#shared/domain/reports/settings.ts';
import type { ReportQuestion } from './report.ts';

const MAX_MACHINES = 10_000;
const MAX_PROJECTS = 1_000;
const MAX_CHOSEN_LABELS = 200;
const MAX_NAME_CHARACTERS = 200;

/**
 * Reads the parameters of a report.
 * @param mostDays the longest period that is allowed, in days
 * @throws ProblemError 400 for a malformed list, or a period that is empty or too long
 */
export function parseReportQuestion(
  kind: ReportKind,
  asked: ReportRequest,
  mostDays: number,
): Omit<ReportQuestion, 'labels'> & { readonly labels?: readonly number[] } {
  const { from, to, minutes, step, fromTime, toTime } = asked;
  const period = {
    from,
    to,
    ...(fromTime !== undefined && { fromTime }),
    ...(toTime !== undefined && { toTime }),
  };
  const days = daysBetween(from, to);
  if (days < 1) throw invalidInputError('De eerste dag ligt na de laatste dag.');
  if ((fromTime ?? toTime) !== undefined) {
    if (!supportsHourLimits(kind)) throw invalidInputError('Dit rapport gaat over hele dagen.');
    const range = reportRangeMs(period);
    if (range.from >= range.to) throw invalidInputError('Het begin van de periode ligt niet voor het einde.');
  }
  if (days > mostDays)
    throw invalidInputError(
      mostDays > 400
        ? 'Een rapport gaat over hoogstens drie jaar.'
        : 'Op het scherm gaat een rapport over hoogstens een jaar. Download het als bestand, of kies een kortere periode.',
    );
  const projects = listIn(asked.projects, isId, MAX_PROJECTS, 'projecten');
  const machines = listIn(asked.machines, isName, MAX_MACHINES, 'machines');
  const labels = listIn(asked.labels, isId, MAX_CHOSEN_LABELS, 'labels');
  if (labels && (kind === 'route' || kind === 'metingen'))
    throw invalidInputError('Dit rapport is van machines, niet van labels.');
  const signals = listIn(asked.signals, isName, MAX_SIGNALS, 'signalen') ?? [];
  return {
    kind,
    settings: { ...period, minutes, signals: [...new Set(signals)], step: Number(step) as ReportStep },
    ...(projects && { projects }),
    ...(labels && { labels }),
    ...(machines && { machines: [...new Set(machines)] }),
  };
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= 2_147_483_647;
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARACTERS && !value.includes('\0');

/** Parses a JSON list; undefined if there is no text. */
function listIn<T>(
  text: string | undefined,
  isOne: (value: unknown) => value is T,
  most: number,
  noun: string,
): T[] | undefined {
  if (text === undefined) return undefined;
  const list = parsed(text);
  if (!Array.isArray(list) || list.length === 0 || list.length > most || !list.every(isOne))
    throw invalidInputError(`De ${noun} zijn een JSON-lijst van 1 tot ${most}.`);
  return list;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
