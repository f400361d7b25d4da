import { setTimeout as sleep } from 'node:timers/promises'
import { copyIn } from '#server/db/copy.ts'
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
 * Compares the import of a file of leads, from the click until the last lead is stored, with `COPY … FROM STDIN` of the
 * same cleaned rows. One COPY writes to the real table, with its duplicate keys, search words, counts and foreign keys;
 * another writes to a table with only its columns and indexes.
 */
const ROWS = isQuickRun ? 20_000 : 100_000
const TIMES = isQuickRun ? 1 : 2
const GOAL = 4

const COLUMNS = 'client_id, company_name, name, phone, email, city, postcode, employees, sub_contractors'
let batch = 0
const leads = () => {
  batch += 1
  return Array.from({ length: ROWS }, (_, n) => [
    `Import ${batch} ${n} ${['Plumbing', 'Roofing', 'Foods', 'Design'][n % 4]} Ltd`,
    `${['Ann', 'Bob', 'Cleo', 'Dan'][n % 4]} ${['Archer', 'Baker', 'Cooper'][n % 3]}`,
    `07${String(batch).padStart(3, '0')}${String(n).padStart(6, '0')}`,
    `i${batch}.${n}@example.test`,
    ['Leeds', 'York', 'Hull'][n % 3],
    `LS${1 + (n % 29)} ${n % 10}AB`,
  ])
}

async function imported(
  base: string,
  { headers }: SignedInBenchUser,
  lines: readonly (readonly (string | undefined)[])[],
): Promise<number> {
  const form = new FormData()
  const text = ['companyName,name,phone,email,city,postcode', ...lines.map((line) => line.join(','))].join('\n')
  form.set('file', new Blob([text], { type: 'text/csv' }), 'leads.csv')
  const sent = (await (await fetch(`${base}/api/crm/imports`, { method: 'POST', headers, body: form })).json()) as {
    '@id': string
  }
  const caller = { userId: 0, headers }
  return measureDurationMs(async () => {
    await fetchAsBenchUser(base, caller, `${sent['@id']}/start`, {})
    for (;;) {
      const { state, rowsAdded } = await fetchAsBenchUser<{ state: string; rowsAdded: number }>(
        base,
        caller,
        sent['@id'],
      )
      if (state === 'finished') {
        if (rowsAdded !== ROWS) throw new Error(`${rowsAdded} leads were added, not ${ROWS}`)
        return
      }
      if (state !== 'running') throw new Error(`The import ended in the state ${state}`)
      await sleep(20)
    }
  })
}

async function measure({ system: { base }, callers: [caller], beside }: CallCentreBench): Promise<void> {
  const client = await beside.connect()
  await client.query('CREATE TABLE bare (LIKE contact INCLUDING ALL)')
  await client.query("ALTER TABLE bare ALTER id SET DEFAULT nextval('contact_id_seq')").catch(() => {})
  const copy = (table: string) => {
    const rows = leads().map((row) => `${[CALL_CENTRE_CLIENT_ID, ...row, "I didn't ask", "I didn't ask"].join('\t')}\n`)
    return measureDurationMs(() => copyIn(client, `COPY ${table} (${COLUMNS}) FROM STDIN`, rows))
  }
  const [bare, asItIs, ours]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < TIMES; n++) {
    bare.push(await copy('bare'))
    asItIs.push(await copy('contact'))
    ours.push(await imported(base, caller as SignedInBenchUser, leads()))
    await client.query('TRUNCATE bare')
    await client.query('VACUUM ANALYZE contact')
  }
  const { rows } = await client.query<{ n: number; keys: number; found: number; counted: number }>(
    `SELECT (SELECT count(*)::int FROM contact WHERE client_id = $1) AS n, (SELECT count(*)::int FROM contact_search WHERE client_id = $1) AS found,
       (SELECT sum(n)::int FROM contact_count WHERE client_id = $1) AS counted`,
    [CALL_CENTRE_CLIENT_ID],
  )
  const [all] = rows
  if (all?.n !== all?.found || all?.n !== all?.counted)
    throw new Error(`The numbers of leads, search entries and counted leads differ: ${JSON.stringify(all)}`)
  client.release()
  const [a, b, c] = [valueAtQuantile(bare, 0.5), valueAtQuantile(asItIs, 0.5), valueAtQuantile(ours, 0.5)]
  console.log(`| ${ROWS.toLocaleString('en-GB')} leads | ms | ours ÷ this | goal |`)
  console.log('|---|---|---|---|')
  console.log(`| COPY with columns and plain indexes only | ${a.toFixed(0)} | ${(c / a).toFixed(1)} | |`)
  console.log(
    `| COPY into the portal’s own table of leads | ${b.toFixed(0)} | **${(c / b).toFixed(2)}**${c / b > GOAL ? ' (short)' : ''} | ≤ ${GOAL} |`,
  )
  console.log(`| ours, from click to last lead | ${c.toFixed(0)} | | |`)
}

await withCallCentreBench({ leads: 10_000 }, measure)
