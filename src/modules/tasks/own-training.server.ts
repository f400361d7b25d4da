import { packState } from '#kernel/packs.ts'
import { hasRole } from '#kernel/roles.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'
import { describeCell } from '#modules/training/matrix/cell-words.ts'
import { TRAINING_STATES } from '#modules/training/matrix/matrix.ts'
import { readMatrix } from '#modules/training/matrix/read-matrix.server.ts'
import { trainingNav } from '#modules/training/nav.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { MyTask } from './my-tasks.ts'

const ORDER = TRAINING_STATES.map(({ value }) => value as string)

/** The user's own training, the most urgent first, with its expiry in words. Training that is not needed is left out. */
export async function readOwnTraining(c: RouteContext): Promise<MyTask[]> {
  if (packState(c.me, 'safety') === 'none' || !hasRole(c.me, EMPLOYEE_READER_ROLES)) return []
  const [own] = await c.engine.readIn(c.me.clientId, 'people read their own training', (read) =>
    read.find(employee, { user: c.me.userId }),
  )
  if (!own) return []
  const { day, courses, cells } = await readMatrix({ ...c, query: { employee: String(own.id) } })
  const nameOf = new Map(courses.map(({ id, name }) => [id, name]))
  return cells
    .filter(({ state }) => state !== 'notNeeded')
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
    .map((cell) => ({
      key: `training ${cell.course}`,
      title: nameOf.get(cell.course) ?? '',
      detail: describeCell(cell, day),
      to: `${trainingNav.matrix.path}?show=matrix`,
      due: null,
    }))
}
