import { type ItemManagerProps, LibraryItemManager } from './item-manager.web.tsx'
import { task } from './statement.ts'

/** Tasks: manages the company's own or, with a value, chooses those of a document, sorted by title. */
export const TaskTable = (props: ItemManagerProps) => <LibraryItemManager resource={task} things="tasks" {...props} />
