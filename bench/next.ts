import {
  CALL_CENTRE_CLIENT_ID,
  type CallCentreBench,
  fetchAsBenchUser,
  isQuickRun,
  measureDurationMs,
  valueAtQuantile,
  withCallCentreBench,
} from './floor/floor.ts'

/*
 * Measures how fast fifty simultaneous callers get their next lead. Compares this alternately with the bare statement
 * that skips locked rows, through as many connections as the server has. Each caller finishes a lead before requesting
 * the next, so no lead may be returned twice.
 */
const CALLERS = 50
const EACH = isQuickRun ? 10 : 25
const ROUNDS = isQuickRun ? 2 : 4
const LEADS = 40_000
const GOAL = 3

const BARE = {
  name: 'bare',
  text: `UPDATE contact SET lease_user_id = $2, lease_until = now() + interval '10 minutes' WHERE client_id = $1 AND id = (
    SELECT id FROM contact WHERE client_id = $1 AND NOT retired AND callback_date <= now() AND (lease_until IS NULL OR lease_until < now())
    ORDER BY callback_date, id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`,
}
const DONE = {
  name: 'done',
  text: "UPDATE contact SET callback_date = now() + interval '90 days', lease_until = NULL WHERE client_id = $1 AND id = $2",
}

interface Turn {
  readonly times: number[]
  readonly given: number[]
}

/**
 * Runs all callers simultaneously, each as fast as the server responds. `pauseMs` is the pause before the next request.
 */
async function turn(
  { callers, beside }: CallCentreBench,
  take: (n: number) => Promise<number>,
  pauseMs: number,
): Promise<Turn> {
  const [times, given]: [number[], number[]] = [[], []]
  await Promise.all(
    callers.map(async (_, n) => {
      await new Promise((done) => setTimeout(done, (pauseMs * n) / callers.length))
      for (let i = 0; i < EACH; i++) {
        let id = 0
        times.push(
          await measureDurationMs(async () => {
            id = await take(n)
          }),
        )
        given.push(id)
        await beside.query({ ...DONE, values: [CALL_CENTRE_CLIENT_ID, id] })
        if (pauseMs) await new Promise((done) => setTimeout(done, pauseMs))
      }
    }),
  )
  return { times, given }
}

async function measure(floor: CallCentreBench): Promise<void> {
  const { system, callers, beside } = floor
  const bare = async (n: number) => {
    const { rows } = await beside.query<{ id: string }>({
      ...BARE,
      values: [CALL_CENTRE_CLIENT_ID, callers[n]?.userId],
    })
    return Number(rows[0]?.id)
  }
  const ours = async (n: number) => {
    const { next } = await fetchAsBenchUser<{ next: { id: number } | null }>(
      system.base,
      callers[n] as CallCentreBench['callers'][number],
      '/api/crm/contacts/next?retired=false',
    )
    return next?.id ?? Number.NaN
  }
  const given = new Set<number>()
  const part = async (what: string, pauseMs: number) => {
    const [theirs, mine]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++)
      for (const [take, times] of [
        [bare, theirs],
        [ours, mine],
      ] as const) {
        const told = await turn(floor, take, pauseMs)
        for (const id of told.given) {
          if (!(id > 0) || given.has(id)) throw new Error(`Lead ${id} was assigned twice, or there was no next lead`)
          given.add(id)
        }
        // The first round is a warm-up.
        if (round > 0) times.push(...told.times)
      }
    const ratio = valueAtQuantile(mine, 0.99) / valueAtQuantile(theirs, 0.99)
    const text = (times: number[]) => [0.5, 0.99].map((p) => valueAtQuantile(times, p).toFixed(2)).join(' · ')
    console.log(
      `| ${what} | ${text(theirs)} | ${text(mine)} | **${ratio.toFixed(2)}**${ratio > GOAL ? ' (short)' : ''} | ≤ ${GOAL} |`,
    )
  }
  console.log(`| next lead for ${CALLERS} callers, p50 · p99 in ms | plain statement | ours | p99 ÷ p99 | goal |`)
  console.log('|---|---|---|---|---|')
  await part('all callers continuously', 0)
  await part('each caller every half second', 500)
  console.log(`\n${given.size.toLocaleString('en-GB')} leads were assigned, none of them twice.`)
}

await withCallCentreBench({ leads: LEADS, people: CALLERS }, measure)
