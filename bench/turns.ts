import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { Shot, System } from './systems.ts'

/*
 * Two servers by turns: the machine's own pace changes by more than what is measured, so each works for two seconds, then the other
 * for four, then the first again.
 */
const SECONDS = 2
const WARM_SECONDS = 4
const CONNECTIONS = 8
/** Clock ticks of the processor's time in a second, as Linux counts them for `/proc`. */
const TICKS = 100

/** A server, and what is asked of it. */
export interface Runner {
  readonly system: Pick<System, 'base' | 'headers' | 'process'>
  readonly shot: () => Shot
}

interface Spent {
  seconds: number
  requests: number
  /** Milliseconds of the server's processor time. */
  processor: number
}

/** What two servers did: requests a second, and milliseconds of the server's processor time for each. */
export interface Pair {
  readonly rates: readonly [number, number]
  readonly processor: readonly [number, number]
}

const processorTime = ({ system }: Runner): number => {
  const stat = readFileSync(`/proc/${system.process.pid}/stat`, 'utf8')
  // Behind the name, which may hold blanks: fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** Asks a server for so many seconds. */
async function turn(runner: Runner, duration: number, into?: Spent): Promise<void> {
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

/** Has both do the same by turns: first, second, second, first; after a turn each to warm up. */
export async function takeTurns(first: Runner, second: Runner, rounds: number): Promise<Pair> {
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

/** What a table says of a pair: what it was there, what it is here, and how they compare. */
export const pairText = ([was, is]: readonly [number, number], digits: number): string =>
  `${was.toFixed(digits)} | ${is.toFixed(digits)} | **${(is / was).toFixed(2)}**`
