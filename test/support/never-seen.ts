import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Folder in which each worker records the statuses that are documented and those that occurred. */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/seen-statuses')
const isAsked = process.env.NEVER_SEEN !== undefined

type StatusLine = readonly [kind: 'promised' | 'seen', operation: string, statuses: readonly (string | number)[]]

/** Records the statuses of an operation, such as `GET /api/crm/contacts/{id}`, that are documented or that occurred. */
export function recordOperationStatuses(...line: StatusLine): void {
  if (isAsked) appendFileSync(join(FOLDER, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

/** Statuses that any request may have. They are tested once, not for each URL. */
const ANYWHERE = new Set(['400', '401', '406', '413', '415', '429', '500', '502', '503'])

/** With `NEVER_SEEN=1`, lists at the end of a run the documented statuses that occurred in no test. */
export default function prepareUnseenStatusReport() {
  rmSync(FOLDER, { recursive: true, force: true })
  if (!isAsked) return
  mkdirSync(FOLDER, { recursive: true })
  return () => {
    if (existsSync(FOLDER)) console.log(neverSeen())
  }
}

function neverSeen(): string {
  const lines = readdirSync(FOLDER)
    .flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as StatusLine)
  const seen = new Set<string>()
  for (const [kind, operation, statuses] of lines)
    if (kind === 'seen')
      for (const one of statuses) seen.add(`${operation} ${one}`).add(`${operation} ${String(one)[0]}XX`)
  const promised = new Map(lines.flatMap(([kind, operation, all]) => (kind === 'promised' ? [[operation, all]] : [])))
  const never = [...promised].flatMap(([operation, statuses]) => {
    // Each module that exists only for tests serves a single purpose, so not all of its statuses occur.
    if (operation.includes(' /api/test/')) return []
    const left = statuses.filter((one) => !ANYWHERE.has(String(one)) && !seen.has(`${operation} ${one}`))
    return left.length ? [`${operation}: ${left.join(', ')}`] : []
  })
  return `Promised by the documentation, and never seen, at ${never.length} operations:\n${never.join('\n')}`
}
