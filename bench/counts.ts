import { deepStrictEqual } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CALL_CENTRE_CLIENT_ID,
  type CallCentreBench,
  fetchAsBenchUser,
  isQuickRun,
  measureDurationMs,
  type SignedInBenchUser,
  valueAtQuantile,
  withCallCentreBench,
} from './floor/floor.ts'

/*
 * Measures the counts by category while fifty callers each end a call every second. Compares this with the counts
 * without writes, and with a recount of the leads. The portal merges changes every minute, and the full measurement
 * takes longer than that.
 */
const CALLERS = 50
const LEADS = isQuickRun ? 50_000 : 200_000
const SECONDS = isQuickRun ? 20 : 80
const EVERY_MS = 1000
const GOAL = 2

const COUNTS = '/api/crm/contacts/counts'
const RECOUNT = {
  name: 'recount',
  text: `SELECT c.category, count(*)::int AS n FROM contact c WHERE c.client_id = $1 AND NOT c.retired
    AND (c.owner_id IS NULL OR c.owner_id NOT IN (SELECT id FROM staff WHERE client_id = $1 AND tray)) GROUP BY 1`,
}
const RESULTS = [47, 31, 4, 43, 5, 30, 48, 3, 32, 18]

type Counts = Record<string, number>

async function measure({ system: { base }, callers, beside }: CallCentreBench): Promise<void> {
  const [reader, ...writers] = callers
  if (!reader) throw new Error('There are no callers')
  const counts = () => fetchAsBenchUser<Counts>(base, reader, COUNTS)
  const recount = async () =>
    (await beside.query<{ category: string; n: number }>({ ...RECOUNT, values: [CALL_CENTRE_CLIENT_ID] })).rows
  /** Asserts that the cached counts match a recount. Nothing may be written at the same time. */
  const compare = async () => {
    const told = await counts()
    const true_ = await recount()
    const kept = Object.fromEntries(true_.filter(({ category }) => category in told).map((r) => [r.category, r.n]))
    for (const [category, n] of Object.entries(kept)) deepStrictEqual([category, told[category]], [category, n])
    deepStrictEqual(
      told.ALL,
      true_.reduce((sum, { n }) => sum + n, 0),
    )
  }
  const sample = async (seconds: number, what: () => Promise<unknown>) => {
    const times: number[] = []
    for (const end = performance.now() + 1000 * seconds; performance.now() < end; await sleep(20))
      times.push(await measureDurationMs(what))
    return times
  }
  for (let n = 0; n < 300; n++) await counts()
  await compare()
  const idle = await sample(10, counts)
  const raw = await sample(10, recount)
  let isOver = false
  let written = 0
  const write = async (caller: SignedInBenchUser, n: number) => {
    await sleep((EVERY_MS * n) / writers.length)
    let { next } = await fetchAsBenchUser<{ next: { id: number } | null }>(
      base,
      caller,
      '/api/crm/contacts/next?retired=false',
    )
    for (let i = n; next && !isOver; i += 1) {
      const began = performance.now()
      const result = `/api/crm/last_results/${RESULTS[i % RESULTS.length]}`
      const outcome = `/api/crm/contacts/${next.id}/outcomes?retired=false`
      next = (await fetchAsBenchUser<{ next: { id: number } | null }>(base, caller, outcome, { result, minutes: 2 }))
        .next
      written += 1
      await sleep(Math.max(0, EVERY_MS - (performance.now() - began)))
    }
  }
  const work = Promise.all(writers.map(write))
  const busy = await sample(SECONDS, counts)
  const busyRaw = await sample(10, recount)
  isOver = true
  await work
  await compare()
  const line = (what: string, before: number[], then: number[], goal?: number) => {
    const ratio = valueAtQuantile(then, 0.5) / valueAtQuantile(before, 0.5)
    const text = (times: number[]) => [0.5, 0.99].map((p) => valueAtQuantile(times, p).toFixed(2)).join(' · ')
    console.log(
      `| ${what} | ${text(before)} | ${text(then)} | **${ratio.toFixed(2)}**${goal && ratio > goal ? ' (short)' : ''} | ${goal ? `≤ ${goal}` : ''} |`,
    )
  }
  console.log(
    `| counts of ${LEADS.toLocaleString('en-GB')} leads, p50 · p99 in ms | idle | with ${writers.length} concurrent writers | ratio | goal |`,
  )
  console.log('|---|---|---|---|---|')
  line('the counts, verified by a recount before and after', idle, busy, GOAL)
  line('a recount', raw, busyRaw)
  console.log(
    `\n${written.toLocaleString('en-GB')} outcomes were written during the measurement, ${(written / (SECONDS + 10)).toFixed(0)} per second.`,
  )
}

await withCallCentreBench({ leads: LEADS, people: CALLERS + 1 }, measure)
