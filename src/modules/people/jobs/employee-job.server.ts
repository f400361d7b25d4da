import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { department, employee } from '../employees/employee.ts'
import { employeeJob, JOB_FIELDS } from './employee-job.ts'

type Job = Pick<RowOf<typeof employeeJob>, 'employee' | 'sets' | (typeof JOB_FIELDS)[number]>

/**
 * Returns the values that a change sets in the employee. Throws 409 if it names a manager who has left or a retired
 * department, which may have happened since the change was entered.
 */
async function valuesOf(c: Context, job: Job): Promise<ValuesOf<typeof employee>> {
  const { jobtitlename, department: to, manager, site } = job
  const values = { jobtitlename, department: to, manager, site }
  const set = Object.fromEntries(JOB_FIELDS.flatMap((name) => (job.sets.includes(name) ? [[name, values[name]]] : [])))
  if (set.manager && (await c.get(employee, Number(set.manager)))?.retired)
    throw problem.conflict('The manager has left. Please choose another manager.')
  if (set.department && (await c.get(department, Number(set.department)))?.retired)
    throw problem.conflict('The department is retired. Please choose another department.')
  return set
}

/** Sets an employee's job as a change states, and returns the whole job from that day on. */
async function applyJob(c: Context, job: Job): Promise<ValuesOf<typeof employeeJob>> {
  const right = c.withoutPermissionCheck('a dated change of a job takes effect')
  const row = await right.lock(employee, job.employee)
  if (row.retired) throw problem.conflict(`${row.name} has left.`)
  const set = await valuesOf(c, job)
  await (await right.set(employee, row, set, 'update')).saved()
  const { jobtitlename, department: to, manager, site } = { ...row, ...set }
  return { jobtitlename, department: to, manager, site, applied: true, refusal: '' }
}

/** Returns an employee's job on the day before a change: the present one, with earlier changes dated ahead. */
async function jobBefore(c: Context, id: number, from: string): Promise<ValuesOf<typeof employee>> {
  const [row, planned] = await Promise.all([c.get(employee, id), c.find(employeeJob, { employee: id, applied: false })])
  const earlier = planned
    .filter((one) => (one.from ?? '') < from)
    .sort((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  const job: Record<string, unknown> = { ...row }
  for (const one of earlier) for (const name of JOB_FIELDS) if (one.sets.includes(name)) job[name] = one[name]
  return job
}

const jobBehaviour = behaviour(employeeJob, {
  beforeSave: async (c) => {
    const { from, employee: of } = c.values
    if (!from) throw problem.invalid([violation('from', 'Please enter the first day')])
    const before = await jobBefore(c, of ?? 0, from)
    const sets = JOB_FIELDS.filter((name) => c.sent.includes(name) && c.values[name] !== before[name])
    if (!sets.length) throw problem.invalid([violation('jobtitlename', 'Please change at least one detail of the job')])
    const later = (await c.find(employeeJob, { employee: of, applied: true })).some((one) => (one.from ?? '') > from)
    if (later)
      throw problem.invalid([violation('from', 'The job has changed since that day. Please enter a later day')])
    return { sets }
  },
  afterSave: async (c) => {
    const { from = '', employee: of } = c.changes
    if (c.before || !of || !from || from > londonDate(c.now).toString()) return
    const saved = await c.written.saved()
    const right = c.withoutPermissionCheck('a change of a job that has begun takes effect at once')
    await right.set(employeeJob, saved, await applyJob(c, saved), 'apply')
  },
})

/** Applies changes of jobs on their day. A refused change states the reason and is tried again while it is due. */
const applyDueJobs = schedule({
  name: 'people.apply-jobs',
  every: { minutes: 15 },
  run: (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    return processRowsForAllClients(
      engine,
      {
        of: employeeJob,
        where: { applied: false },
        condition: (next) => `t.first_day <= ${next(today)}::date`,
        reason: 'people.apply-jobs',
      },
      async (c, job) => {
        const result = await c.attempt(() => applyJob(c, job))
        if ('value' in result) await c.set(employeeJob, job, result.value, 'apply')
        else if (result.refused.message !== job.refusal)
          await c.set(employeeJob, job, { refusal: result.refused.message }, 'refuse')
      },
    )
  },
})

/** History stays: only a change that has not taken effect can be deleted. */
const historyGuard = guard(employeeJob, {
  retire: (_, { applied }) => {
    if (applied) throw problem.conflict('This change has taken effect and is part of the history.')
  },
})

export const jobs = feature({
  resources: [employeeJob],
  behaviours: [jobBehaviour],
  guards: [historyGuard],
  schedules: [applyDueJobs],
})
