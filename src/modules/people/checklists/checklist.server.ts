import { problem, violation } from '#kernel/errors.ts'
import { link } from '#kernel/fields.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { employmentChanged } from '../employees/employment-changed.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import {
  checklist,
  checklistTask,
  checklistTaskEvent,
  checklistTemplate,
  checklistTemplateTask,
  dueDay,
  MAX_CHECKLIST_TASKS,
} from './checklist.ts'
import { checklistNav, checklistPath, STARTERS_URL } from './nav.ts'

type Employment = Pick<RowOf<typeof employee>, 'extCStartDate' | 'leavingDate'>

/** Returns the day from which the tasks of a checklist are counted; null if it is not known. */
const baseDay = (purpose: string, { extCStartDate, leavingDate }: Employment): string | null =>
  purpose === 'starter' ? extCStartDate : leavingDate

const REASON = 'a checklist is copied from its template'

const templateBehaviour = behaviour(checklistTemplate, {
  beforeSave: async (c) => {
    const { tasks } = c.values
    if (!c.before && !tasks?.length) throw problem.invalid([violation('tasks', 'Please add at least one task')])
    if (!tasks) return undefined
    if (!tasks.length) throw problem.invalid([violation('tasks', 'Please add at least one task')])
    if (tasks.length > MAX_CHECKLIST_TASKS)
      throw problem.invalid([violation('tasks', `A checklist has at most ${MAX_CHECKLIST_TASKS} tasks`)])
    const wrong = tasks.flatMap(({ owner, person }, n) =>
      (owner === 'person') === Boolean(person)
        ? []
        : [violation(`tasks[${n}].person`, person ? 'Only a named person is chosen here' : 'Please choose the person')],
    )
    if (wrong.length) throw problem.invalid(wrong)
    return { tasks: tasks.map((task, position) => ({ ...task, position })) }
  },
})

const checklistBehaviour = behaviour(checklist, {
  beforeSave: async (c) => {
    const { before, changes } = c
    if (before) {
      const isCopied = (['employee', 'template'] as const).some(
        (name) => name in changes && changes[name] !== before[name],
      )
      if (isCopied)
        throw problem.conflict('A checklist belongs to one employee and template. End it and start another.')
      return undefined
    }
    if (!changes.template || !changes.employee) return undefined
    const template = await c.get(checklistTemplate, changes.template)
    const person = await c.get(employee, changes.employee)
    if (!template || !person) throw problem.notFound()
    if (template.retired)
      throw problem.invalid([violation('template', 'This template is retired. Please choose another')])
    if (person.erasedOn) throw problem.conflict('The identity of this employee has been erased.')
    if (await c.exists(checklist, { employee: person.id, purpose: template.purpose, retired: false }))
      throw problem.invalid([
        violation('employee', `${person.name} already has such a checklist. End it first`, 'duplicate'),
      ])
    return { name: template.name, purpose: template.purpose, createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    const right = c.withoutPermissionCheck(REASON)
    const saved = await c.written.saved()
    if (c.before) {
      if (c.changes.retired === undefined || c.changes.retired === c.before.retired) return
      const tasks = await right.lockAll(checklistTask, { checklist: saved.id })
      const retired = saved.retired
      await right.setAll(
        checklistTask,
        tasks.map((row) => ({ row, values: { retired } })),
        'update',
      )
      return
    }
    const person = await c.get(employee, saved.employee)
    const base = person ? baseDay(saved.purpose, person) : null
    const tasks = await right.find(checklistTemplateTask, { template: saved.template })
    await right.createAll(
      checklistTask,
      tasks.map(({ position, title, owner, person: named, days, file }) => ({
        checklist: saved.id,
        employee: saved.employee,
        position,
        title,
        owner,
        person: named,
        days,
        file,
        dueOn: dueDay(base, days),
      })),
    )
  },
})

type Task = RowOf<typeof checklistTask>

/** Adds to a task's history, and returns the values of its new state. */
async function logTask(c: Context & { readonly row: Task }, event: 'done' | 'undone', reason = '') {
  if (c.row.retired) throw problem.conflict('This checklist has ended.')
  if ((event === 'done') === (c.row.doneAt !== null))
    throw problem.conflict(event === 'done' ? 'This task is done already.' : 'This task is not done.')
  const values = { task: c.row.id, event, reason, createdAt: c.now.toString() }
  await c.withoutPermissionCheck('record the history of a task').create(checklistTaskEvent, values)
  const set: ValuesOf<typeof checklistTask> =
    event === 'done' ? { doneAt: c.now.toString(), doneBy: authorOf(c.actor).username } : { doneAt: null, doneBy: '' }
  return { set }
}

const taskBehaviour = behaviour(checklistTask, {
  actions: {
    complete: (c) => logTask(c, 'done'),
    reopen: (c) => logTask(c, 'undone', c.input.reason),
  },
})

/** Moves the due days of open tasks with the first or last day of employment. */
async function moveDueDays(c: Context, person: RowOf<typeof employee>): Promise<void> {
  const lists = await c.find(checklist, { employee: person.id, retired: false })
  const purposes = new Map(lists.map(({ id, purpose }) => [id, purpose]))
  const open = await c.lockAll(checklistTask, { checklist: [...purposes.keys()], doneAt: null })
  const moves = open.flatMap((row) => {
    const dueOn = dueDay(baseDay(purposes.get(row.checklist) ?? '', person), row.days)
    return dueOn === row.dueOn ? [] : [{ row, values: { dueOn } }]
  })
  if (moves.length) await c.setAll(checklistTask, moves, 'update')
}

/** Starts the leavers' checklist when a last day is entered by any entry point, and ends it when the person stays. */
const followEmployment = eventHandler(employmentChanged, {
  name: 'people.checklist-follows-employment',
  queue: 'events',
  run: async (c, { employee: id }) => {
    if ((await findPackState(c, c.clientId, 'employees')) !== 'active') return
    const [person] = await c.lockAll(employee, { id })
    if (!person) return
    await moveDueDays(c, person)
    const [existing] = await c.find(checklist, { employee: id, purpose: 'leaver', retired: false })
    if (existing && !person.leavingDate && !person.retired) await c.change(checklist, existing, { retired: true })
    const [template] = await c.find(checklistTemplate, { purpose: 'leaver', retired: false })
    if (template && !existing && person.leavingDate) await c.create(checklist, { employee: id, template: template.id })
  },
})

/** Adds a starter together with their checklist, in one transaction. */
const addStarter = routeWithInput(
  {
    forename: employee.fields.forename,
    surname: employee.fields.surname,
    email: employee.fields.email,
    jobtitlename: employee.fields.jobtitlename,
    department: employee.fields.department,
    manager: employee.fields.manager,
    site: employee.fields.site,
    extCStartDate: employee.fields.extCStartDate,
    template: link(() => checklistTemplate, {
      required: 'Please choose a template',
      offers: { ...IN_SERVICE, purpose: 'starter' },
    }),
  },
  {
    method: 'POST',
    path: STARTERS_URL,
    title: 'Add an employee together with a starter checklist',
    allow: HR_ROLES,
    handle: ({ engine, me, input, change }) =>
      engine.inTenant(me.clientId, change(), async (c) => {
        const { template, ...values } = input
        const found = await c.get(checklistTemplate, template)
        if (found?.purpose !== 'starter')
          throw problem.invalid([violation('template', 'Please choose a template for starters')])
        const person = await (await c.create(employee, values)).saved()
        const list = await (await c.create(checklist, { employee: person.id, template })).saved()
        return () => ({
          '@id': iriOf(employee, person.id),
          '@type': employee.type,
          id: person.id,
          name: person.name,
          checklist: iriOf(checklist, list.id),
        })
      }),
  },
)

const dueNotice = declareNotificationType({
  kind: 'checklist.due',
  label: 'Tasks of checklists that I have to do',
  for: EMPLOYEE_READER_ROLES,
  icon: checklistNav.list.icon,
  of: checklistTask,
  words: ({ title, employee: { name }, dueOn }) =>
    `${title} (${name})${dueOn ? `, due ${formatIsoDateAsUk(dueOn)}` : ''}`,
  path: ({ checklist: { id } }) => checklistPath(id),
  waits: 'People',
  todo: 'to do',
  mail: true,
})

/** Returns the users who complete a task. */
async function findOwners(c: Context, { owner, employee: of, person }: Task): Promise<number[]> {
  if (owner === 'hr')
    return (await findUsersWithRoles(c.work.tx, c.clientId, [...HR_ROLES])).map(({ userId }) => userId)
  const self = await c.get(employee, of)
  const id = { employee: of, manager: self?.manager ?? null, person }[owner]
  const found = id ? await c.get(employee, id) : undefined
  return found?.user && !found.retired ? [found.user] : []
}

const WEEK = 7

/** Reminds the owner of an open task a week before it is due, on the day, and once a week later. */
const dueReminder = reminderSchedule({
  name: 'checklist.due',
  of: checklistTask,
  on: 'dueOn',
  daily: '07:00',
  daysBefore: [WEEK, 0, -WEEK],
  where: { doneAt: null, retired: false },
  send: async (c, task) => {
    const owners = await findOwners(c, task)
    await notifyUsers(
      c,
      dueNotice,
      owners.map((to) => ({ to, about: task.id })),
    )
  },
})

export const checklists = feature({
  pack: 'employees',
  navigation: checklistNav,
  seeds: () => import('./demo.server.ts'),
  resources: [checklistTemplate, checklistTemplateTask, checklist, checklistTask, checklistTaskEvent],
  behaviours: [templateBehaviour, checklistBehaviour, taskBehaviour],
  routes: [addStarter],
  handlers: [followEmployment],
  notifications: [dueNotice],
  schedules: [dueReminder],
})
