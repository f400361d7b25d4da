import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { standardStatement } from './statement.ts'

/** List to manage the company's own standard statements or, if `value` is set, to choose a document's statements. */
export const StatementManager = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={standardStatement} things="standard statements" {...props} />
)
