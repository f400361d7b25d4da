import {
  CALL_CENTRE_CLIENT_ID,
  CALL_CENTRE_POSTGRES_SETTINGS,
  type CallCentreBench,
  fetchAsBenchUser,
  isQuickRun,
  measureDurationMs,
  type SignedInBenchUser,
  valueAtQuantile,
  withCallCentreBench,
} from './floor/floor.ts'
import { BENCH_USER, signInToClient } from './systems.ts'

/*
 * Fifty different people sign in at once, and each then enters outcomes and gets the next lead without a pause. Compares
 * an outcome and its next lead with the plain statements that write and lease them, sent by as many callers at the same
 * time through as many connections as the server has. Runs on PostgreSQL as in production and as the portal embeds it.
 */
const CALLERS = 50
const EACH = isQuickRun ? 5 : 10
const ROUNDS = isQuickRun ? 1 : 3
const LEADS = 40_000
const OUTCOME = { result: '/api/crm/last_results/47', notes: 'Spoke to them', minutes: 3 }

/** The writes of an outcome with a callback, and the lease of the next lead, in one transaction. */
const PLAIN = [
  "UPDATE contact SET callback_date = now() + interval '90 days', lease_until = NULL WHERE client_id = $1 AND id = $2",
  "INSERT INTO note (client_id, contact_id, author, notes) VALUES ($1, $2, $3, 'Spoke to them')",
  `UPDATE contact SET lease_user_id = $2, lease_until = now() + interval '10 minutes' WHERE client_id = $1 AND id = (
    SELECT id FROM contact WHERE client_id = $1 AND NOT retired AND callback_date <= now() AND (lease_until IS NULL OR lease_until < now())
    ORDER BY callback_date, id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id::int`,
] as const

interface NextLead {
  readonly next: { readonly id: number } | null
}

const idOf = ({ next }: NextLead): number => {
  if (!next) throw new Error('There was no next lead')
  return next.id
}

/** Signs every caller in at once. Returns the signed-in callers and the milliseconds that each waited. */
async function signInTogether({ system, callers }: CallCentreBench) {
  const times: number[] = []
  const people = await Promise.all(
    callers.map(async (caller) => {
      let headers = {}
      times.push(
        await measureDurationMs(async () => {
          const who = { ...BENCH_USER, username: caller.username }
          headers = await signInToClient(system.base, who, CALL_CENTRE_CLIENT_ID)
        }),
      )
      return { ...caller, headers: { ...caller.headers, ...headers } }
    }),
  )
  return { people, times }
}

/** Lets every caller work at once. Returns the milliseconds of each outcome with its next lead. */
async function callTogether({ system }: CallCentreBench, people: readonly SignedInBenchUser[]): Promise<number[]> {
  const times: number[] = []
  await Promise.all(
    people.map(async (who) => {
      let lead = idOf(await fetchAsBenchUser<NextLead>(system.base, who, '/api/crm/contacts/next?retired=false'))
      for (let n = 0; n < EACH; n++)
        times.push(
          await measureDurationMs(async () => {
            const at = `/api/crm/contacts/${lead}/outcomes?retired=false`
            lead = idOf(await fetchAsBenchUser<NextLead>(system.base, who, at, OUTCOME))
          }),
        )
    }),
  )
  return times
}

/** Sends the plain statements as often, and as many at once. Returns the milliseconds of each. */
async function callPlainly({ beside }: CallCentreBench, people: readonly SignedInBenchUser[]): Promise<number[]> {
  const times: number[] = []
  const lease = async (userId: number, done?: number): Promise<number> => {
    const client = await beside.connect()
    try {
      await client.query('BEGIN')
      if (done !== undefined) {
        await client.query(PLAIN[0], [CALL_CENTRE_CLIENT_ID, done])
        await client.query(PLAIN[1], [CALL_CENTRE_CLIENT_ID, done, String(userId)])
      }
      const { rows } = await client.query<{ id: number }>(PLAIN[2], [CALL_CENTRE_CLIENT_ID, userId])
      await client.query('COMMIT')
      return rows[0]?.id ?? Number.NaN
    } finally {
      client.release()
    }
  }
  await Promise.all(
    people.map(async ({ userId }) => {
      let lead = await lease(userId)
      for (let n = 0; n < EACH; n++)
        times.push(
          await measureDurationMs(async () => {
            lead = await lease(userId, lead)
          }),
        )
    }),
  )
  return times
}

const show = (times: readonly number[]) =>
  [0.5, 0.99].map((part) => valueAtQuantile(times, part).toFixed(1)).join(' · ')

async function measure(name: string, settings: string[], goalMs: number): Promise<void> {
  await withCallCentreBench({ leads: LEADS, people: CALLERS, settings }, async (bench) => {
    const [signIns, ours, plain]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const { people, times } = await signInTogether(bench)
      const [mine, theirs] = [await callTogether(bench, people), await callPlainly(bench, people)]
      // The first round is a warm-up.
      if (round === 0) continue
      signIns.push(...times)
      ours.push(...mine)
      plain.push(...theirs)
    }
    const p99 = valueAtQuantile(ours, 0.99)
    const ratio = p99 / valueAtQuantile(plain, 0.99)
    const isShort = p99 > goalMs ? ' (short)' : ''
    console.log(
      `| ${name} | ${show(signIns)} | ${show(plain)} | ${show(ours)}${isShort} | **${ratio.toFixed(1)}** | ≤ ${goalMs} |`,
    )
  })
}

console.log(
  `| ${CALLERS} people at once, p50 · p99 in ms | sign-in | plain | outcome and next lead | p99 ÷ p99 | goal |`,
)
console.log('|---|---|---|---|---|---|')
await measure('PostgreSQL', CALL_CENTRE_POSTGRES_SETTINGS, 300)
await measure('embedded', [], 1000)
