import { dayChart } from '#server/history/day-chart.ts';
import type { Database } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import type { Course } from '#shared/contract/compare.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { MOST_COMPARED_DAYS } from '#shared/domain/compare.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { ComparedMachine } from './compared-machines.ts';
import { powerCourse } from './power-course.ts';

/** Longest range that can be compared, with an hour more for a day of 25 hours. */
const MOST_MS = MOST_COMPARED_DAYS * 86_400_000 + 3_600_000;

/**
 * Returns charge level, power, running and charging of machines over a range, in the given order. Level, running and charging equal those
 * of the machine's page.
 * @throws ProblemError 400 for a range of more than 31 days
 */
export async function compareCourses(
  db: Database,
  machines: readonly ComparedMachine[],
  range: Range,
  points: number,
): Promise<Course[]> {
  if (range.to - range.from > MOST_MS)
    throw invalid(`Kies een periode van hoogstens ${MOST_COMPARED_DAYS} dagen.`);
  const courses: Course[] = [];
  // Reads one machine after the other: five months at once would block other callers.
  for (const { serial, alias, brand, model, ...history } of machines) {
    const [chart, power] = await Promise.all([
      dayChart(db, history, range, points),
      powerCourse(db, history, range, points),
    ]);
    const { time, bucketSeconds, bands, seconds, lastDay } = chart;
    courses.push({
      serial,
      alias,
      brand,
      model,
      time,
      bucketSeconds,
      level: levelsOf(chart),
      power,
      bands,
      seconds,
      lastDay,
    });
  }
  return courses;
}

/** Returns the mean level of the packs that reported in each bucket, %. */
const levelsOf = ({ time, packs }: DayChart): (number | null)[] =>
  time.map((_, at) => {
    const known = packs.map(({ mean }) => mean[at] ?? null).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
