import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import type { SafetyTask } from './figures.ts'

/** List filter of each figure, as a query string. */
const NARROWED: Readonly<Record<SafetyTask | 'current', string>> = {
  current: 'state=current',
  late: 'due=late',
  soon: 'due=soon',
  approve: 'state=complete',
  unsigned: 'waiting=true',
}

/** Path of a document type's list, filtered to exactly the documents counted. */
export const filteredDocumentListPath = ({ screens }: DocumentTypeInfo, counted: SafetyTask | 'current'): string =>
  `${screens.list}?${NARROWED[counted]}`
