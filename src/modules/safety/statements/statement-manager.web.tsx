import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { standardStatement } from './statement.ts'

/** Standard statements: manages the company's own, or chooses those of a document if a value is given. */
export const StatementManager = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={standardStatement} things="standard statements" {...props} />
)
