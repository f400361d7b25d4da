import { textOf } from '#kernel/text.ts'
import type { Picture } from '#modules/documents/types/kind.ts'
import { type PrintedJob, printedJob } from '../shared-fields/pdf.ts'

/** The body of a pack's own pages, as `rams-pack.typ` reads it; its papers are printed behind them. */
export interface RamsPdf {
  readonly job: PrintedJob
  readonly supervisor?: string
  readonly telephone?: string
  readonly notes?: string
  readonly images: readonly Picture[]
}

/** What a pack says before its papers. */
export function ramsPdf(
  record: Readonly<Record<string, unknown>>,
  { images = [] }: { images?: readonly Picture[] } = {},
): RamsPdf {
  const some = <K extends 'supervisor' | 'telephone' | 'notes'>(name: K) => {
    const said = textOf(record[name]).trim()
    return said ? { [name]: said } : {}
  }
  const begunFrom = textOf(record.copiedFrom).trim()
  return {
    job: { ...printedJob(record), ...(begunFrom ? { begunFrom } : {}) },
    ...some('supervisor'),
    ...some('telephone'),
    ...some('notes'),
    images,
  }
}
