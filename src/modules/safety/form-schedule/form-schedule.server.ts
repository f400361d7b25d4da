import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { meetsRowCondition, rowConditionFor } from '#kernel/row-rules.ts'
import { normalisePersonName } from '#kernel/signature.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { settleNamedPeople } from '#modules/documents/named-employees/check.server.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { customForm, customFormAnswer } from '../custom-forms/custom-form.ts'
import { completeFormPath } from '../custom-forms/paths.ts'
import { formCompletedEvent } from '../custom-forms/pdf.server.ts'
import { firstDueDateFrom, formSchedule, nextDueDateAfter } from './form-schedule.ts'

/** Notification: the user has to complete a form. */
const formDueNotice = declareNotificationType({
  kind: 'form.due',
  label: 'Forms that I have to complete',
  for: DOCUMENT_READER_ROLES,
  icon: 'file',
  of: formSchedule,
  words: ({ title, dueOn, place }) =>
    `Complete “${title}”, due ${formatIsoDateAsUk(dueOn)}${place ? `: ${place}` : ''}`,
  path: ({ form }) => completeFormPath(form.id),
  waits: 'Documents',
  todo: 'to complete',
  mail: true,
})

/**
 * Schedule that reminds the assignee on the due date, one day later and one week later, until the form is completed.
 */
const formDueReminder = reminderSchedule({
  name: 'form.due',
  of: formSchedule,
  on: 'dueOn',
  daily: '06:30',
  daysBefore: [0, -1, -7],
  where: { retired: false },
  send: async (c, { id, user, form }) => {
    const asked = await c.get(customForm, form)
    if (asked?.live && !asked.retired) await notifyUsers(c, formDueNotice, [{ to: user, about: id }])
  },
})

type Row = RowOf<typeof formSchedule>
type Save = Context & BeforeSaveInput<typeof formSchedule>
type Form = RowOf<typeof customForm>

/** The first due date can be at most this far ahead. */
const AHEAD = { years: 2 }

/**
 * Rules for form schedules. The form must be published, the assignee must be able to complete it, and there can be only
 * one schedule for the same form, assignee and place.
 */
const formScheduleBehaviour = behaviour(formSchedule, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    const assignee = await assigneeOf(c)
    const next = { ...before, ...values, ...assignee } as Partial<Row>
    const today = londonDate(c.now)
    if (changes.startsOn !== undefined) refuseDay(changes.startsOn, today)
    const form = next.form === undefined ? undefined : await formOf(c, next.form)
    const person = form && next.user !== undefined ? await personOf(c, next.user, form) : undefined
    await refuseTwice(c, next)
    const isAnew = !before || changes.every !== undefined || changes.startsOn !== undefined || changes.retired === false
    return {
      ...(form ? { title: form.title } : {}),
      ...(person ? { person: person.name, ...assignee } : {}),
      ...(isAnew && next.startsOn
        ? { dueOn: firstDueDateFrom(next.every ?? 'week', Temporal.PlainDate.from(next.startsOn), today).toString() }
        : {}),
      ...(before ? {} : { createdAt: c.now.toString() }),
    }
  },
  afterSave: async (c) => {
    const { id, user: to, retired, dueOn } = await c.written.saved()
    const isNew = !c.before || c.before.user !== to || c.before.retired
    // Notifies the assignee if the form is already due. For schedules that start later, the reminder notifies the
    // assignee.
    if (isNew && !retired && to !== c.actor.userId && dueOn <= londonDate(c.now).toString())
      await notifyUsers(c, formDueNotice, [{ to, about: id }])
  },
})

/**
 * Returns the account and the employee of the assignee: choosing an employee also sets their account, and choosing an
 * account sets its employee. Throws 422 for an employee who can't be chosen or who has no account.
 */
async function assigneeOf(c: Save): Promise<Partial<Row>> {
  const { before, changes, values } = c
  const refuse = (message: string) => problem.invalid([violation('employee', message)])
  if (changes.employee && changes.employee !== before?.employee) {
    const next = { employee: changes.employee, name: '' }
    await settleNamedPeople(c, [{ path: 'employee', next }])
    const chosen = await c.get(employee, changes.employee)
    if (!chosen?.user)
      throw refuse(`${chosen?.name} has no account to complete forms with. Send them login details first`)
    if (changes.user && changes.user !== chosen.user)
      throw refuse('This account belongs to another person. Please choose the employee only')
    return { user: chosen.user, employee: chosen.id }
  }
  if (changes.employee === undefined && (changes.user ?? undefined) === undefined) return {}
  const account = values.user ?? before?.user
  const [joined] = account === undefined ? [] : await c.find(employee, { user: account })
  return { employee: joined?.id ?? null }
}

/** Throws 422 if the first due date is in the past or too far ahead. */
function refuseDay(given: unknown, today: Temporal.PlainDate): void {
  if (typeof given !== 'string') return
  const day = Temporal.PlainDate.from(given)
  if (Temporal.PlainDate.compare(day, today) < 0)
    throw problem.invalid([violation('startsOn', 'Please choose today or a future date')])
  if (Temporal.PlainDate.compare(day, today.add(AHEAD)) > 0)
    throw problem.invalid([violation('startsOn', 'Please choose a date within two years')])
}

/**
 * Returns true if the schedule needs validation, because it is new, is restored, or has a changed form or assignee.
 * Deleted schedules are not validated until they are restored.
 */
const isJudged = ({ before, changes, values }: Save) =>
  !values.retired &&
  (!before ||
    [changes.form, changes.user, changes.employee].some((said) => said !== undefined) ||
    changes.retired === false)

/** Returns a form of the company that users can complete. Throws 422 for any other form. */
async function formOf(c: Save, id: number): Promise<Form> {
  const form = await c.get(customForm, id)
  const refuse = (message: string) => problem.invalid([violation('form', message)])
  if (form?.clientId !== c.clientId) throw refuse('This form is ready-made: please copy it to your company first')
  if (!isJudged(c)) return form
  if (form.retired) throw refuse('This form has been deleted')
  if (!form.live) throw refuse('This form has not been published yet. Please publish it first')
  return form
}

/** Returns the assignee. Throws 422 if the assignee can't sign in or can't complete the form. */
async function personOf(c: Save, id: number, form: Form) {
  const person = await c.get(user, id)
  const refuse = (message: string) => problem.invalid([violation('user', message)])
  if (!person) throw refuse('Please choose somebody from your company')
  if (!isJudged(c)) return person
  if (person.isRetired) throw refuse(`${person.name} can no longer sign in`)
  const actor = { ...person, userId: person.id, scopes: [] }
  const rule = rowConditionFor(customForm.allow.rows ?? [], actor, 'read')
  if (
    !hasRole(actor, DOCUMENT_READER_ROLES) ||
    (rule && !meetsRowCondition(customForm, rule, { ...form, client: form.clientId }, actor))
  )
    throw refuse(`${person.name} can’t complete this form`)
  return person
}

/** Throws 409 if there is already a schedule for the same form, assignee and place. */
async function refuseTwice(c: Save, next: Partial<Row>): Promise<void> {
  if (next.retired || next.form === undefined || next.user === undefined) return
  // Locks the form. If two identical schedules are saved simultaneously, the second is rejected with a conflict.
  await c.lock(customForm, next.form)
  const same = await c.find(formSchedule, { form: next.form, user: next.user, retired: false })
  const twin = same.find(
    (one) => one.id !== c.before?.id && normalisePersonName(one.place) === normalisePersonName(next.place ?? ''),
  )
  if (twin)
    throw problem.conflict(
      'This person already has a schedule for this form at this place. Please edit that schedule instead.',
    )
}

/**
 * Event handler that moves a schedule to its next due date when its form is completed. If several schedules are due,
 * only the schedule that is overdue longest moves.
 */
const advanceFormSchedule = eventHandler(formCompletedEvent, {
  name: 'form.put-on-due',
  queue: 'events',
  run: async (c, { answer: id, by }) => {
    if (by === null) return
    const answer = await c.get(customFormAnswer, id)
    if (!answer) return
    const filledIn = londonDate(Temporal.Instant.from(answer.createdAt))
    const open = await c.lockAll(formSchedule, { form: answer.form, user: by, retired: false })
    // Prevents the schedule from advancing again if the event is delivered twice.
    if (open.some((one) => (one.answer ?? 0) >= id)) return
    const [due] = open
      .filter(({ dueOn }) => dueOn <= filledIn.toString())
      .toSorted((a, b) => a.dueOn.localeCompare(b.dueOn) || a.id - b.id)
    if (!due) return
    const dueOn = nextDueDateAfter(due.every ?? 'week', Temporal.PlainDate.from(due.startsOn), filledIn).toString()
    await c
      .withoutPermissionCheck('a completed form advances its schedule')
      .set(formSchedule, due, { dueOn, answer: id }, 'filled in')
  },
})

export const formScheduleFeature = feature({
  pack: 'safety',
  resources: [formSchedule],
  behaviours: [formScheduleBehaviour],
  handlers: [advanceFormSchedule],
  schedules: [formDueReminder],
  notifications: [formDueNotice],
  seeds: () => import('./demo.server.ts'),
})
