import { type Logger, pino } from 'pino'
import { errorFacts } from './http/log.ts'

/** Standard output, and what a worker has, whose output is not read. */
const OUTPUT = 1
const ERRORS = 2

/** The operator's log: JSON lines, without the values of statements. */
export const makeLog = (level: string): Logger =>
  pino({ level, serializers: { err: errorFacts } }, pino.destination({ fd: OUTPUT, sync: true }))

/** The same of a process that does orders for the portal's. */
export const makeWorkerLog = (): Logger => pino({ level: 'warn' }, pino.destination({ fd: ERRORS, sync: true }))
