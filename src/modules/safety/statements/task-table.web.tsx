import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { task } from './statement.ts'

/** Manages the company's own tasks. If `value` is set, chooses a document's tasks instead, sorted by title. */
export const TaskTable = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={task} things="tasks" {...props} />
)
