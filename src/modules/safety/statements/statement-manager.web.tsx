import { type ItemManagerProps, LibraryItemManager } from './item-manager.web.tsx'
import { standardStatement } from './statement.ts'

/** Standard statements: manages the company's own or, with a value, chooses those of a document. */
export const StatementManager = (props: ItemManagerProps) => (
  <LibraryItemManager resource={standardStatement} things="standard statements" {...props} />
)
