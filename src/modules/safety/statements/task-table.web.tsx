import { ItemManager, type ManagerProps } from './item-manager.web.tsx'
import { task } from './statement.ts'

/** Task selection: keeps the own tasks, or, with a value, chooses those of a document; the selection is sorted by title. */
export const TaskTable = (props: ManagerProps) => <ItemManager resource={task} things="tasks" {...props} />
