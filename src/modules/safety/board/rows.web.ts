import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import type { Task } from './figures.ts'

/** List filter of each figure, as query parameters. */
const NARROWED: Readonly<Record<Task | 'current', string>> = {
  current: 'state=current',
  late: 'due=late',
  soon: 'due=soon',
  approve: 'state=complete',
  unsigned: 'waiting=true',
}

/** Path of a type's list, filtered to exactly the documents counted. */
export const rowsOf = ({ screens }: DocumentTypeInfo, counted: Task | 'current'): string =>
  `${screens.list}?${NARROWED[counted]}`
