import { setTimeout as sleep } from 'node:timers/promises'
import { readServerMemory } from './incidents-memory.ts'
import { PHONE_BENCH_USERS } from './people-data.ts'
import { type BenchSystem, signInToClient } from './systems.ts'

const PHONES = 300
const REQUESTS = '/api/employees/leave_requests'
const GROWTH_GOAL_MIB = 64
const SAMPLE_MS = 50
/** Milliseconds after the last phone until the memory is measured again. */
const REST_MS = 15_000
/** Statuses of a request for leave: sent, or refused because another phone of the same person sent it. */
const DECIDED = [201, 409]

/** Requests that a phone sends after a morning without a signal: its tasks, and two leave requests with their keys. */
async function synchronise(base: string, headers: Record<string, string>, kind: string, phone: number): Promise<void> {
  const read = async (path: string) => {
    const answer = await fetch(base + path, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { 'hydra:member': readonly { readonly id: number }[] }
  }
  await read('/api/portal/my_tasks')
  const [own] = (await read('/api/employees/leave_accounts?itemsPerPage=1'))['hydra:member']
  const first = Temporal.Now.plainDateISO('Europe/London').add({
    days: 7 * (1 + Math.floor(phone / PHONE_BENCH_USERS.length)),
  })
  for (const day of [first, first.add({ days: 1 })].map(String)) {
    const answer = await fetch(base + REQUESTS, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `${phone}-${day}` },
      body: JSON.stringify({
        employee: `/api/employees/employees/${own?.id}`,
        kind,
        parts: [{ firstDay: day, lastDay: day }],
      }),
    })
    if (!DECIDED.includes(answer.status)) throw new Error(`${REQUESTS}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  await read('/api/portal/my_tasks')
}

/** Measures the memory of the portal while 300 phones send the requests that they stored without signal, all at once. */
export async function measureSynchronisation(
  { base, process: server }: Pick<BenchSystem, 'base' | 'process'>,
  clientId: number,
): Promise<void> {
  const pid = server.pid ?? 0
  const signedIn: Record<string, string>[] = []
  for (const user of PHONE_BENCH_USERS) signedIn.push(await signInToClient(base, user, clientId))
  const kinds = (await (
    await fetch(`${base}/api/employees/leave_kinds?code=dependants`, { headers: signedIn[0] ?? {} })
  ).json()) as { 'hydra:member': readonly { readonly '@id': string }[] }
  const kind = kinds['hydra:member'][0]?.['@id'] ?? ''
  // Loads the code of all requests.
  await synchronise(base, signedIn[0] ?? {}, kind, 0)
  await sleep(REST_MS)
  const before = readServerMemory(pid).server
  let largest = before
  const sampling = setInterval(() => {
    largest = Math.max(largest, readServerMemory(pid).server)
  }, SAMPLE_MS)
  const began = performance.now()
  const phones = Array.from({ length: PHONES }, (_, n) => n)
  await Promise.all(phones.map((n) => synchronise(base, signedIn[n % signedIn.length] ?? {}, kind, n)))
  const seconds = (performance.now() - began) / 1000
  clearInterval(sampling)
  await sleep(REST_MS)
  const growth = largest - before
  const figures = [seconds, before, largest, readServerMemory(pid).server]
  console.log(
    `\n| ${PHONES} phones send at once | seconds | server before, MiB | largest | 15 s later | growth | goal |\n${'|---'.repeat(7)}|`,
  )
  console.log(
    `| tasks and two leave requests each | ${figures.map((n) => n.toFixed(0)).join(' | ')} | **${growth.toFixed(0)}**${growth <= GROWTH_GOAL_MIB ? '' : ' (short)'} | ≤ ${GROWTH_GOAL_MIB} |`,
  )
}
