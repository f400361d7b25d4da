import type { Meaning } from '#web/theme/meaning.ts'
import type { Task } from './figures.ts'

/** Label and colour of each task. */
export const TASK_WORDS: Readonly<Record<Task, { readonly label: string; readonly meaning: Meaning }>> = {
  late: { label: 'Reviews overdue', meaning: 'stop' },
  soon: { label: 'Reviews due in 30 days', meaning: 'attention' },
  approve: { label: 'Waiting for approval', meaning: 'info' },
  unsigned: { label: 'Awaiting signatures', meaning: 'plain' },
}
