import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { employee } from '#modules/people/employees/employee.ts'
import { employeeImport } from '#modules/people/imports/import.ts'
import { copyIn } from '#server/db/copy.ts'
import { CHANGED_PEOPLE, CHANGED_SURNAME, HR_BENCH_USER } from './people-data.ts'
import { type BenchSystem, signInToClient } from './systems.ts'
import { medianTime } from './times.ts'

const POLL_MS = 20
const TIMES = 3
const UPDATE_GOAL = 4
const IMPORT_GOAL = 3
const ENDED = ['done', 'failed', 'stopped']

type Headers = Awaited<ReturnType<typeof signInToClient>>

async function callPortal<T>(base: string, headers: Headers, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(base + path, {
    ...(body === undefined ? {} : { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
    headers: {
      ...headers,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Sets the job title of everybody with a surname through the list's bulk action, until its batch job has ended. */
async function updateMany(base: string, headers: Headers, jobtitlename: string): Promise<void> {
  const path = `${employee.url}/bulk?${new URLSearchParams({ surname: CHANGED_SURNAME })}`
  const body = { action: 'jobtitlename', all: true, count: CHANGED_PEOPLE, input: { jobtitlename } }
  const { '@id': address } = await callPortal<{ '@id': string }>(base, headers, path, body)
  for (;;) {
    const { state, done } = await callPortal<{ state: string; done: number }>(base, headers, address)
    if (ENDED.includes(state)) {
      if (state !== 'done' || done !== CHANGED_PEOPLE) throw new Error(`${done} employees are changed: ${state}`)
      return
    }
    await sleep(POLL_MS)
  }
}

const rowsOf = (batch: string) =>
  Array.from({ length: CHANGED_PEOPLE }, (_, n) => [
    ['Ivy', 'Joe', 'Kit'][n % 3],
    `Import${batch} ${n}`,
    `${batch}.${n}@example.test`,
    `${batch}-${n}`,
    'Fitter',
    '2026-01-05',
  ])
const COLUMNS = 'client_id, forename, surname, email, payroll, jobtitlename, ext_c_start_date'

async function importMany(base: string, headers: Headers, batch: string): Promise<number> {
  const lines = [
    'Forename,Surname,Email,Payroll number,Job title,Start date',
    ...rowsOf(batch).map((row) => row.join(',')),
  ]
  const form = new FormData()
  form.set('file', new Blob([lines.join('\n')], { type: 'text/csv' }), 'people.csv')
  const sent = await callPortal<{ '@id': string }>(base, headers, employeeImport.url, form)
  return measureMs(async () => {
    await callPortal(base, headers, `${sent['@id']}/start`, {})
    for (;;) {
      const { state, added } = await callPortal<{ state: string; added: number }>(base, headers, sent['@id'])
      if (state === 'imported') {
        if (added !== CHANGED_PEOPLE) {
          const lines = `/api/employees/import_lines?batch=${sent['@id'].split('/').at(-1)}&itemsPerPage=3`
          throw new Error(`${added} employees are added: ${JSON.stringify(await callPortal(base, headers, lines))}`)
        }
        return
      }
      if (state !== 'running') throw new Error(`The import ended in the state ${state}`)
      await sleep(POLL_MS)
    }
  })
}

function report(
  title: string,
  yardstick: string,
  times: readonly [readonly number[], readonly number[]],
  goal: number,
): void {
  const [alone, ours] = times.map(medianTime) as [number, number]
  const ratio = ours / alone
  console.log(`\n| ${title} | ${yardstick}, ms | portal, ms | portal ÷ ${yardstick} | goal |\n${'|---'.repeat(5)}|`)
  console.log(
    `| ${CHANGED_PEOPLE.toLocaleString('en-GB')} employees | ${alone.toFixed(0)} | ${ours.toFixed(0)} | **${ratio.toFixed(2)}**${ratio <= goal ? '' : ' (short)'} | ≤ ${goal} |`,
  )
}

/** Compares a mass update with one bulk UPDATE, and an import with COPY into the same table, with its triggers. */
export async function measureManyChanges(
  { base }: Pick<BenchSystem, 'base'>,
  client: pg.Client,
  clientId: number,
): Promise<void> {
  const headers = await signInToClient(base, HR_BENCH_USER, clientId)
  const [updates, changes, copies, imports]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let n = 0; n < TIMES; n++) {
    const statement = 'UPDATE employee SET jobtitlename = $3 WHERE client_id = $1 AND surname LIKE $2'
    updates.push(await measureMs(() => client.query(statement, [clientId, `${CHANGED_SURNAME}%`, `Raw ${n}`])))
    changes.push(await measureMs(() => updateMany(base, headers, `Portal ${n}`)))
    const rows = rowsOf(`c${n}`).map((row) => `${[clientId, ...row].join('\t')}\n`)
    copies.push(await measureMs(() => copyIn(client, `COPY employee (${COLUMNS}) FROM STDIN`, rows)))
    imports.push(await importMany(base, headers, `p${n}`))
    await client.query('VACUUM ANALYZE employee')
  }
  report('mass update', 'UPDATE', [updates, changes], UPDATE_GOAL)
  report('import', 'COPY', [copies, imports], IMPORT_GOAL)
}
