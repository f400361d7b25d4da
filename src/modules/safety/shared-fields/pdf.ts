import { textOf } from '#kernel/text.ts'
import { JOB } from './fields.ts'

/** A job as `job.typ` reads it. Days are `2026-03-12`. */
export interface PrintedJob {
  readonly project?: string
  readonly location?: string
  readonly siteAddress?: string
  readonly startDate?: string
  readonly duration?: string
  readonly mainContractor?: string
  readonly clientContact?: string
  readonly jobNumber?: string
  readonly internalJobReference?: string
  readonly firstAider?: string
  readonly equipment?: string
  readonly industry?: string
  /** What it is a copy of: its number, or what a template is called. */
  readonly begunFrom?: string
}

/** What a record says of its job. */
export const printedJob = (record: Readonly<Record<string, unknown>>): PrintedJob =>
  Object.fromEntries(
    JOB.flatMap((name) => {
      const said = textOf(record[name]).trim()
      return said ? [[name, said]] : []
    }),
  )
