import { LibraryItemManager, type LibraryItemManagerProps } from './item-manager.web.tsx'
import { task } from './statement.ts'

/** List to manage the company's own tasks or, if `value` is set, to choose a document's tasks, sorted by title. */
export const TaskTable = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={task} things="tasks" {...props} />
)
