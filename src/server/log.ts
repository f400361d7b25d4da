import { type Logger, pino } from 'pino'
import { isDbError } from './db/db.ts'

/** Standard output, and what a worker has, whose output is not read. */
const OUTPUT = 1
const ERRORS = 2

/** The operator's log: JSON lines, without the values of statements. */
export const makeLog = (level: string): Logger =>
  pino({ level, serializers: { err: errorFacts } }, pino.destination({ fd: OUTPUT, sync: true }))

/** The same of a process that does orders for the portal's. */
export const makeWorkerLog = (): Logger => pino({ level: 'warn' }, pino.destination({ fd: ERRORS, sync: true }))

/** What the server's log says of an error: never the values that a statement was given, which drivers hang onto theirs. */
export function errorFacts(e: unknown): object {
  if (!(e instanceof Error)) return { message: String(e) }
  const { name, message, stack } = e
  const { code } = e as { code?: unknown }
  return { type: name, message, stack, ...(isDbError(e) ? { code, constraint: e.constraint } : code ? { code } : {}) }
}
