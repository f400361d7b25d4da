import { ItemManager, type ManagerProps } from './item-manager.web.tsx'
import { standardStatement } from './statement.ts'

/** Standard statements: manages the company's own or, with a value, chooses those of a document. */
export const StatementManager = (props: ManagerProps) => (
  <ItemManager resource={standardStatement} things="standard statements" {...props} />
)
