import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { BenchRequest, BenchSystem } from './systems.ts'

/*
 * Measures two servers alternately, because the speed of the machine varies by more than the difference to measure. The
 * first server gets requests for two seconds, the second for four, then the first again.
 */
const SECONDS = 2
const WARM_SECONDS = 4
const CONNECTIONS = 8
/** Clock ticks per second of processor time in Linux's `/proc`. */
const TICKS = 100

/** A server, and the requests to send to it. */
export interface BenchTarget {
  readonly system: Pick<BenchSystem, 'base' | 'headers' | 'process'>
  readonly shot: () => BenchRequest
}

interface Spent {
  seconds: number
  requests: number
  /** Milliseconds of the server's processor time. */
  processor: number
}

/** Results of two servers: requests per second, and milliseconds of processor time for each request. */
export interface PairedMeasurements {
  readonly rates: readonly [number, number]
  readonly processor: readonly [number, number]
}

const processorTime = ({ system }: BenchTarget): number => {
  const stat = readFileSync(`/proc/${system.process.pid}/stat`, 'utf8')
  // Fields 14 and 15 are the user and system time. They are counted from the end of the process name, which may contain
  // spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** Sends requests to a server for a number of seconds, and adds the results to `into`. */
async function turn(runner: BenchTarget, duration: number, into?: Spent): Promise<void> {
  const { headers, base } = runner.system
  const requests = Array.from({ length: 300 }, () => {
    const { method, path, body } = runner.shot()
    const json = body === undefined ? undefined : JSON.stringify(body)
    return {
      method,
      path,
      headers: { ...headers, ...(json ? { 'content-type': 'application/json' } : {}) },
      body: json,
    }
  })
  const before = processorTime(runner)
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration,
    setupClient: (client: { setRequests: (r: typeof requests) => void }) => client.setRequests(requests),
  })
  if (result.non2xx + result.errors) throw new Error(`${requests[0]?.path}: ${result.non2xx + result.errors} failed`)
  if (!into) return
  into.seconds += result.duration
  into.requests += result['2xx']
  into.processor += processorTime(runner) - before
}

const nothing = (): Spent => ({ seconds: 0, requests: 0, processor: 0 })
const rate = (s: Spent): number => s.requests / s.seconds
const each = (s: Spent): number => s.processor / s.requests

/** Measures both servers in the order first, second, second, first, after a warm-up turn for each. */
export async function measureTargetsAlternately(
  first: BenchTarget,
  second: BenchTarget,
  rounds: number,
): Promise<PairedMeasurements> {
  const [a, b] = [nothing(), nothing()]
  for (const runner of [first, second]) await turn(runner, WARM_SECONDS)
  for (let round = 0; round < rounds; round++) {
    await turn(first, SECONDS, a)
    await turn(second, SECONDS, b)
    await turn(second, SECONDS, b)
    await turn(first, SECONDS, a)
  }
  return { rates: [rate(a), rate(b)], processor: [each(a), each(b)] }
}

/** Returns the table cells of a pair: the first value, the second, and their ratio. */
export const formatPairCells = ([was, is]: readonly [number, number], digits: number): string =>
  `${was.toFixed(digits)} | ${is.toFixed(digits)} | **${(is / was).toFixed(2)}**`
