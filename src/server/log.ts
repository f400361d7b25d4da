import { type Logger, pino } from 'pino'
import { isDbError } from './db/db.ts'

/** Standard output; and standard error for worker processes, whose output is not read. */
const OUTPUT = 1
const ERRORS = 2

/** Creates the operator's log: JSON lines, without the values of statements. */
export const makeLog = (level: string): Logger =>
  pino({ level, serializers: { err: serialiseErrorForLog } }, pino.destination({ fd: OUTPUT, sync: true }))

/** Creates the log of a worker process. */
export const makeWorkerLog = (): Logger => pino({ level: 'warn' }, pino.destination({ fd: ERRORS, sync: true }))

/**
 * Facts of an error for the server's log. Omits the bound values of statements, which drivers attach to their errors.
 */
export function serialiseErrorForLog(e: unknown): object {
  if (!(e instanceof Error)) return { message: String(e) }
  const { name, message, stack } = e
  const { code } = e as { code?: unknown }
  return { type: name, message, stack, ...(isDbError(e) ? { code, constraint: e.constraint } : code ? { code } : {}) }
}
