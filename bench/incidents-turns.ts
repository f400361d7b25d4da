import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { medianTime } from './times.ts'

const ROUNDS = 4
/** Milliseconds of a clock tick of processor time in Linux's `/proc`. */
const TICK_MS = 10

/** Processor time of a process so far, in milliseconds; 0 if the process has ended. */
function processorTime(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields 14 and 15, counted from the end of the process name, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/** Work to measure. Its processor time is that of the database and of the process that sends the statements. */
export interface MeasuredWork {
  readonly run: (n: number) => Promise<unknown>
  /** Process that sends the statements. */
  readonly pid: number
}

export interface MeasuredTime {
  /** Median duration in milliseconds. */
  readonly median: number
  /** Mean processor time in milliseconds, which depends less on the load of the machine. */
  readonly processor: number
}

/** Measures two kinds of work in blocks by turns, after a warm-up of each. */
export async function measureByTurns(
  client: pg.Client,
  times: number,
  first: MeasuredWork,
  second: MeasuredWork,
): Promise<readonly [MeasuredTime, MeasuredTime]> {
  const block = Math.ceil(times / ROUNDS)
  const spent = [first, second].map((work) => ({ work, durations: [] as number[], processor: 0 }))
  for (let n = 0; n < block; n++) for (const { work } of spent) await work.run(n)
  for (let round = 1; round <= ROUNDS; round++)
    for (const one of spent) {
      const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
      const all = () => [...rows.map(({ pid }) => pid), one.work.pid].reduce((sum, pid) => sum + processorTime(pid), 0)
      const before = all()
      for (let n = 0; n < block; n++) {
        const began = performance.now()
        await one.work.run(round * block + n)
        one.durations.push(performance.now() - began)
      }
      one.processor += all() - before
    }
  const [a, b] = spent.map(({ durations, processor }) => ({
    median: medianTime(durations),
    processor: processor / durations.length,
  }))
  return [a as MeasuredTime, b as MeasuredTime]
}

/** Returns the table cells of a comparison: both medians, both processor times, and the ratios of `b` to `a`, or `a` to `b`. */
export function formatComparison(
  [a, b]: readonly [MeasuredTime, MeasuredTime],
  ratio: (a: number, b: number) => number,
  isMet: (ratio: number) => boolean,
): string {
  const cell = (value: number) => `**${value.toFixed(2)}**${isMet(value) ? '' : ' (short)'}`
  const [time, processor] = [ratio(a.median, b.median), ratio(a.processor, b.processor)]
  return `${a.median.toFixed(2)} | ${b.median.toFixed(2)} | ${cell(time)} | ${a.processor.toFixed(2)} | ${b.processor.toFixed(2)} | ${cell(processor)}`
}

/** Headings of the cells. */
export const comparisonHeadings = (a: string, b: string, ratio: string): string =>
  `${a}, ms | ${b}, ms | ${ratio} | ${a}, processor ms | ${b}, processor ms | ${ratio}`
