import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import type { Task } from './figures.ts'

/** What a number counts, in the words of the lists' addresses. */
const NARROWED: Readonly<Record<Task | 'current', string>> = {
  current: 'state=current',
  late: 'due=late',
  soon: 'due=soon',
  approve: 'state=complete',
  unsigned: 'waiting=true',
}

/** The list of a kind, narrowed to exactly what is counted. */
export const rowsOf = ({ screens }: DocumentTypeInfo, counted: Task | 'current'): string =>
  `${screens.list}?${NARROWED[counted]}`
