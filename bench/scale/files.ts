import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSize } from './data.ts'

/** A client with its size, and the request headers of its signed-in user. */
interface Person extends ClientSize {
  readonly headers: Record<string, string>
}

export const EXPORTED_LEAD_COUNT = 5000
export const IMPORTED_LEAD_COUNT = 2000

const json = async (answer: Response) => {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as Record<string, unknown>
}

/**
 * Measures the milliseconds to export the leads with the earliest callbacks. The number of leads is the same for every
 * client size.
 */
export async function exportLeads(base: string, { headers, rows }: Person): Promise<number> {
  // Callbacks are spread evenly over 900 000 minutes.
  const until = Date.UTC(2026, 0, 1) / 1000 + Math.round((60 * 900_000 * EXPORTED_LEAD_COUNT) / rows)
  const began = performance.now()
  const answer = await fetch(
    `${base}/api/crm/contacts/export.csv?retired=false&callbackDate[lt]=${until}&order[callbackDate]=asc`,
    { headers },
  )
  const text = await answer.text()
  const lines = text.split('\n').length
  if (!answer.ok || lines < EXPORTED_LEAD_COUNT / 2)
    throw new Error(`The export returned status ${answer.status} and ${lines} lines: ${text.slice(0, 300)}`)
  return performance.now() - began
}

let made = 0
/** Measures the milliseconds from uploading a file of new leads until all of them are stored. */
export async function importLeads(base: string, { headers }: Person): Promise<number> {
  const batch = ++made
  // Telephone numbers are never repeated.
  const phone = (n: number) => `07${String(batch).padStart(3, '0')}${String(n).padStart(6, '0')}`
  const lines = Array.from(
    { length: IMPORTED_LEAD_COUNT },
    (_, n) => `Import ${batch} ${n} Ltd,Ann Archer,${phone(n)},i${batch}.${n}@example.test,Leeds`,
  )
  const form = new FormData()
  form.set(
    'file',
    new Blob([['companyName,name,phone,email,city', ...lines].join('\n')], { type: 'text/csv' }),
    'leads.csv',
  )
  const began = performance.now()
  const sent = await json(await fetch(`${base}/api/crm/imports`, { method: 'POST', headers, body: form }))
  const at = base + String(sent['@id'])
  const start = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
  await json(await fetch(`${at}/start`, start))
  for (;;) {
    const { state, rowsAdded } = await json(await fetch(at, { headers }))
    if (state === 'finished' && rowsAdded === IMPORTED_LEAD_COUNT) return performance.now() - began
    if (state !== 'waiting' && state !== 'running')
      throw new Error(`The import ended in the state ${String(state)}, with ${String(rowsAdded)} leads`)
    await sleep(20)
  }
}
