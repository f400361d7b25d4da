import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { task } from './statement.ts'

/** Tasks: manages the company's own, or chooses those of a document, sorted by title, if a value is given. */
export const TaskTable = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={task} things="tasks" {...props} />
)
