import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { standardStatement } from './statement.ts'

/** Manages the company's own standard statements. If `value` is set, chooses a document's statements instead. */
export const StatementManager = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={standardStatement} things="standard statements" {...props} />
)
