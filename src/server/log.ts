import { type Logger, pino } from 'pino'
import { isDbError } from './db/db.ts'

/**
 * File descriptors: standard output and, for worker processes, standard error, because their standard output is not
 * read.
 */
const OUTPUT = 1
const ERRORS = 2

/** Creates the operator's log, as JSON lines. Values bound to SQL statements are omitted. */
export const makeLogger = (level: string): Logger =>
  pino({ level, serializers: { err: serialiseErrorForLog } }, pino.destination({ fd: OUTPUT, sync: true }))

/** Creates the log for a worker process. */
export const makeWorkerLogger = (): Logger => pino({ level: 'warn' }, pino.destination({ fd: ERRORS, sync: true }))

/**
 * Returns the properties of an error for the server's log. Omits the values bound to SQL statements, because drivers
 * attach these values to their errors.
 */
export function serialiseErrorForLog(e: unknown): object {
  if (!(e instanceof Error)) return { message: String(e) }
  const { name, message, stack } = e
  const { code } = e as { code?: unknown }
  return { type: name, message, stack, ...(isDbError(e) ? { code, constraint: e.constraint } : code ? { code } : {}) }
}
