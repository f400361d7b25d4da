import type { ColourMeaning } from '#web/theme/meaning.ts'
import type { SafetyTask } from './figures.ts'

export const SAFETY_TASK_LABELS: Readonly<
  Record<SafetyTask, { readonly label: string; readonly meaning: ColourMeaning }>
> = {
  late: { label: 'Reviews overdue', meaning: 'stop' },
  soon: { label: 'Reviews due within 30 days', meaning: 'attention' },
  approve: { label: 'Awaiting approval', meaning: 'info' },
  unsigned: { label: 'Awaiting signatures', meaning: 'plain' },
}
