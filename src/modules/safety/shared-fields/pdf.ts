import { toText } from '#kernel/text.ts'
import { JOB_FIELD_NAMES } from './fields.ts'

/** Job details in a PDF, used by `job.typ`. Dates are in the format `2026-03-12`. */
export interface PdfJobDetails {
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
  /** Source of the document: a document number, or the title of a template. */
  readonly begunFrom?: string
}

export const toPdfJobDetails = (record: Readonly<Record<string, unknown>>): PdfJobDetails =>
  Object.fromEntries(
    JOB_FIELD_NAMES.flatMap((name) => {
      const said = toText(record[name]).trim()
      return said ? [[name, said]] : []
    }),
  )
