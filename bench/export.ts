import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
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
 * Compares the export of a list of leads, from the click to the last byte, with `COPY … TO STDOUT` of the same rows and
 * columns, alternately. Also measures how much more memory a long export needs than a short one.
 */
const ROWS = isQuickRun ? 20_000 : 100_000
const DUE_CALLBACK_COUNT = 10_000
const TIMES = isQuickRun ? 3 : 5
const GOAL = 1.5
const FLAT_MIB = 32

const COLUMNS = 'companyName,name,phone,mobile,email,city,postcode,callbackDate,lastResult,owner,createdAt'
const COPY = `COPY (
  SELECT c.company_name, c.name, c.phone, c.mobile, c.email, c.city, c.postcode, to_char(c.callback_date AT TIME ZONE 'Europe/London', 'DD/MM/YYYY HH24:MI'),
    r.text, s.name, to_char(c.created_at AT TIME ZONE 'Europe/London', 'DD/MM/YYYY HH24:MI')
  FROM contact c LEFT JOIN last_result r ON r.id = c.last_result_id LEFT JOIN staff s ON s.client_id = c.client_id AND s.id = c.owner_id
  WHERE c.client_id = ${CALL_CENTRE_CLIENT_ID} AND NOT c.retired ORDER BY c.callback_date, c.id) TO STDOUT (FORMAT csv, HEADER)`

/** Finds a time before which about `DUE_CALLBACK_COUNT` callbacks are due, and their exact number. */
const SHORT = `SELECT until::int, (SELECT count(*)::int FROM contact WHERE client_id = $1 AND callback_date < to_timestamp(until)) AS n
  FROM (SELECT floor(date_part('epoch', callback_date)) AS until FROM contact WHERE client_id = $1 ORDER BY callback_date OFFSET ${DUE_CALLBACK_COUNT} LIMIT 1) x`

/** Driver query that counts the bytes of a COPY. */
class CopyOut extends pg.Query {
  bytes = 0
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.bytes += chunk.length
  }
}

async function copy(client: pg.ClientBase): Promise<number> {
  let taken: CopyOut | undefined
  await new Promise<void>((done, failed) => {
    taken = new CopyOut(COPY, (e?: Error) => (e ? failed(e) : done()))
    client.query(taken)
  })
  return taken?.bytes ?? 0
}

const residentMib = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function exported(base: string, caller: SignedInBenchUser, query: string): Promise<number> {
  const from = `/api/crm/contacts?retired=false&order[callbackDate]=asc&columns=${COLUMNS}${query}`
  const run = await fetchAsBenchUser<{ '@id': string }>(base, caller, '/api/portal/exports', { from, format: 'csv' })
  for (;;) {
    const { state } = await fetchAsBenchUser<{ state: string }>(base, caller, run['@id'])
    if (state === 'done') break
    if (state !== 'queued' && state !== 'running') throw new Error(`The export ended in the state ${state}`)
    await sleep(10)
  }
  const answer = await fetch(`${base}${run['@id']}/file`, { headers: caller.headers })
  let lines = 0
  for await (const chunk of answer.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1
  return lines - 1
}

async function measure({ system, callers: [caller], beside }: CallCentreBench): Promise<void> {
  const { base } = system
  const client = await beside.connect()
  const { rows } = await client.query<{ until: number; n: number }>(SHORT, [CALL_CENTRE_CLIENT_ID])
  const [{ until, n: few } = { until: 0, n: 0 }] = rows
  const exportAll = async (most: number) => {
    const found = await exported(base, caller as SignedInBenchUser, most < ROWS ? `&callbackDate[lt]=${until}` : '')
    if (found !== most) throw new Error(`${found} rows were exported, not ${most}`)
  }
  /** Returns the server's peak memory in MiB during three exports. */
  const peakOf = async (most: number) => {
    let peak = 0
    const look = setInterval(() => {
      peak = Math.max(peak, residentMib(system.process.pid))
    }, 20)
    try {
      for (let n = 0; n < 3; n++) await exportAll(most)
    } finally {
      clearInterval(look)
    }
    return peak
  }
  for (let n = 0; n < 2; n++) await exportAll(few)
  const [short, long] = [await peakOf(few), await peakOf(ROWS)]
  const [theirs, mine]: [number[], number[]] = [[], []]
  for (let n = 0; n < TIMES; n++) {
    theirs.push(await measureDurationMs(() => copy(client)))
    mine.push(await measureDurationMs(() => exportAll(ROWS)))
  }
  client.release()
  const [a, b] = [valueAtQuantile(mine, 0.5), valueAtQuantile(theirs, 0.5)]
  console.log(
    `| an export of ${ROWS.toLocaleString('en-GB')} leads, ${COLUMNS.split(',').length} columns | median, ms | ÷ COPY TO | goal |`,
  )
  console.log('|---|---|---|---|')
  console.log(`| COPY TO with the same rows | ${b.toFixed(0)} | | |`)
  console.log(
    `| ours, from click to last byte | ${a.toFixed(0)} | **${(a / b).toFixed(2)}**${a / b > GOAL ? ' (short)' : ''} | ≤ ${GOAL} |`,
  )
  console.log(
    `\nPeak memory of the server: ${short.toFixed(0)} MiB with ${few.toLocaleString('en-GB')} rows, ${long.toFixed(0)} MiB with ${ROWS.toLocaleString('en-GB')} rows: a difference of ${(long - short).toFixed(0)} MiB${long - short > FLAT_MIB ? ' (not flat)' : ''}.`,
  )
}

await withCallCentreBench({ leads: ROWS }, measure)
