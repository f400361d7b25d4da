import { packState } from '#kernel/packs.ts'
import { hasRole } from '#kernel/roles.ts'
import { checklistTask } from '#modules/people/checklists/checklist.ts'
import { checklistPath } from '#modules/people/checklists/nav.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '#modules/people/rights.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { MAX_TASKS, type MyTask } from './my-tasks.ts'

/** Open tasks of checklists that the user owns, by due day. People of human resources own those of human resources. */
export async function readOwnChecklistTasks(c: RouteContext): Promise<MyTask[]> {
  if (packState(c.me, 'employees') !== 'active' || !hasRole(c.me, EMPLOYEE_READER_ROLES)) return []
  const isHr = hasRole(c.me, HR_ROLES)
  const mine = {
    sql: (next: (value: unknown) => string) =>
      `(t.id IN (SELECT checklist_tasks_owned(${next(c.me.clientId)}::int, ${next(c.me.userId)}::bigint))${isHr ? " OR t.owner = 'hr'" : ''})`,
  }
  const { members } = await c.engine.list(
    checklistTask,
    c.me,
    { done: 'false', retired: 'false', 'order[dueOn]': 'asc' },
    { limit: MAX_TASKS, offset: 0 },
    { count: false, extra: [mine] },
  )
  return members.map(({ id, title, employee, checklist, dueOn }) => ({
    key: `checklist ${id}`,
    title,
    detail: `${checklist.name}: ${employee.name}`,
    to: checklistPath(checklist.id),
    due: dueOn,
  }))
}
