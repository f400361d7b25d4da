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
interface MeasuredWork {
  readonly run: (n: number) => Promise<unknown>
  /** Process that sends the statements. */
  readonly pid: number
}

interface MeasuredTime {
  /** Median duration in milliseconds. */
  readonly median: number
  /** Mean processor time in milliseconds, which depends less on the load of the machine. */
  readonly processor: number
}

/** Measures two kinds of work alternately in blocks, after a warm-up of each. */
async function measureByTurns(
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

/** A goal for the ratio of the portal's time to a yardstick's, or of the yardstick's time to the portal's. */
export interface RatioGoal {
  readonly limit: number
  readonly of: 'yardstick ÷ portal' | 'portal ÷ yardstick'
}

/** Table of comparisons of the portal with a yardstick. */
interface ComparisonTable {
  readonly title: string
  readonly yardstick: string
  readonly goal: RatioGoal
  readonly times: number
  /** Connection for querying the processor time of the database. */
  readonly client: pg.Client
  /** Process of the portal. */
  readonly portal: number
}

/**
 * Prints the heading of a table. Returns a function that measures a line of it and prints its medians, processor times
 * and ratios.
 */
export function openComparisonTable({ title, yardstick, goal, times, client, portal }: ComparisonTable) {
  const isShare = goal.of === 'yardstick ÷ portal'
  const ratio = goal.of.replace('yardstick', yardstick)
  const heads = ['', ', processor'].flatMap((of) => [`${yardstick}${of}, ms`, `portal${of}, ms`, ratio])
  console.log(`\n| ${title} | ${heads.join(' | ')} | goal |\n${'|---'.repeat(8)}|`)
  const cells = (mine: number, theirs: number) => {
    const value = isShare ? mine / theirs : theirs / mine
    const isMet = isShare ? value >= goal.limit : value <= goal.limit
    return `${mine.toFixed(2)} | ${theirs.toFixed(2)} | **${value.toFixed(2)}**${isMet ? '' : ' (short)'}`
  }
  return async (label: string, alone: MeasuredWork['run'], through: MeasuredWork['run']): Promise<void> => {
    const [a, b] = await measureByTurns(client, times, { run: alone, pid: process.pid }, { run: through, pid: portal })
    const measured = `${cells(a.median, b.median)} | ${cells(a.processor, b.processor)}`
    console.log(`| ${label} | ${measured} | ${isShare ? '≥' : '≤'} ${goal.limit} |`)
  }
}
