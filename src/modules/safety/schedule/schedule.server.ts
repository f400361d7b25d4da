import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { foldName, isName, isSameName } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { mayRead } from '#modules/documents/signoff/may-read.ts'
import { document } from '#modules/documents/types/document.ts'
import { user } from '#modules/identity/people/user.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { type BeforeSave, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { talkRecorded } from '../attendance/recorded.ts'
import { presentableTitle } from '../talks/in-force.server.ts'
import { nameAccounts } from '../talks/people.server.ts'
import { presentedTalk } from '../talks/toolbox-talk.ts'
import { plannedNotice, remindPresenters } from './planned-notice.server.ts'
import { scheduledTalk } from './scheduled-talk.ts'
import { suggestedTalks } from './suggested.server.ts'

type Plan = RowOf<typeof scheduledTalk>
type Save = Context & BeforeSave<typeof scheduledTalk>
type Day = Temporal.PlainDate

/** How far ahead talks are planned. */
const WEEKS_AHEAD = 53
/** How late a talk that was planned is still what the plan meant. */
const WEEKS_LATE = 4

/** Planning a talk; what was given stands. */
const scheduling = behaviour(scheduledTalk, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.presented !== null && Object.keys(changes).some((name) => name !== 'notes'))
      throw problem.conflict('This talk has been presented: its plan stands.')
    const week = changes.week === undefined ? undefined : weekOf(changes.week, londonDate(c.now))
    const presenter = changes.presenter === undefined ? undefined : await presenterOf(c, values.presenter)
    const title = before && changes.talk === undefined ? undefined : await presentableTitle(c, values.talk)
    const settled = {
      ...(week === undefined ? {} : { week }),
      ...(presenter ? { presenter: presenter.name, user: presenter.user } : {}),
      ...(title === undefined ? {} : { title }),
      ...(before ? {} : { createdAt: c.now.toString() }),
    }
    const next = { ...before, ...values, ...settled }
    await refuseUnheard(c, next)
    await refuseTwice(c, next)
    return settled
  },
  afterSave: async (c) => {
    const { id, user: to, retired, presented } = await c.written.saved()
    const isNew = !c.before || c.before.user !== to || c.before.retired
    if (to !== null && isNew && !retired && presented === null && to !== c.actor.userId)
      await notify(c, plannedNotice, [{ to, about: id }])
  },
})

/** The Monday of a day's week; throws 422 for a week that is over, or too far off. */
function weekOf(given: unknown, today: Day): string {
  if (typeof given !== 'string') throw problem.invalid([violation('week', 'Please choose the week')])
  const week = mondayOf(Temporal.PlainDate.from(given))
  const ahead = mondayOf(today).until(week).days / 7
  if (ahead < 0) throw problem.invalid([violation('week', 'This week is over')])
  if (ahead > WEEKS_AHEAD) throw problem.invalid([violation('week', 'Please choose a week within a year')])
  return week.toString()
}

/** Who presents, with the account that alone goes by the name; throws 422 for what is no name. */
async function presenterOf(c: Context, given: string | undefined) {
  const [found] = await nameAccounts(c, [{ name: given ?? '' }])
  const name = found?.name ?? ''
  if (!isName(name)) throw problem.invalid([violation('presenter', 'Please enter the name of a person')])
  return { name, user: found?.user ?? null }
}

/** Throws 422 where whoever presents may not read the talk. */
async function refuseUnheard(c: Context, { talk, user: id, presenter }: Partial<Plan>): Promise<void> {
  const [doc, who] = [
    talk === undefined ? undefined : await c.get(document, talk),
    id ? await c.get(user, id) : undefined,
  ]
  if (!doc || !who || mayRead(who, doc)) return
  throw problem.invalid([violation('presenter', `${presenter} is not among those whom this talk is for`)])
}

/** Throws 409 for what is planned already: the same talk in the same week, there and by them. */
async function refuseTwice(c: Save, plan: Partial<Plan>): Promise<void> {
  if (plan.retired || plan.week === undefined || plan.talk === undefined) return
  const same = await c.find(scheduledTalk, { talk: plan.talk, week: plan.week, retired: false })
  const twin = same.find(
    (one) => one.id !== c.before?.id && isSameName(one.presenter, plan.presenter ?? '') && isSamePlace(one, plan),
  )
  if (twin) throw problem.conflict('This talk is planned already: that week, there, by the same person.')
}

const isSamePlace = (a: Pick<Plan, 'place'>, b: { readonly place?: string }) =>
  foldName(a.place) === foldName(b.place ?? '')

/** Once a talk is given, the plan that it fulfils says so; its record deleted, the plan is open again. */
const tickPlans = eventHandler(talkRecorded, {
  name: 'talk.tick-plans',
  queue: 'events',
  run: async (c, { presented: id }) => {
    const record = await c.get(presentedTalk, id)
    if (!record) return
    const unguarded = c.withoutPermissionCheck('a plan follows the records of its talk')
    const [kept] = await c.lockAll(scheduledTalk, { presented: id })
    if (record.retired && kept) return void (await unguarded.set(scheduledTalk, kept, { presented: null }, 'reopen'))
    if (record.retired || kept) return
    const plan = await planFor(c, record)
    if (plan) await unguarded.set(scheduledTalk, plan, { presented: id }, 'tick')
  },
})

/** The open plan that a record is of: the same talk, of its week or one of the last, by the same person or at the same place. */
async function planFor(c: Context, record: RowOf<typeof presentedTalk>): Promise<Plan | undefined> {
  const week = mondayOf(Temporal.PlainDate.from(record.date))
  const weeks = Array.from({ length: WEEKS_LATE + 1 }, (_, n) => week.subtract({ weeks: n }).toString())
  const open = await c.lockAll(scheduledTalk, { week: weeks, presented: null, retired: false })
  const number = await numberOf(c, record.talk)
  const [author] = await c.find(user, { username: record.author ?? '' })
  const fitting: Plan[] = []
  for (const plan of open) {
    const isThem = isSameName(plan.presenter, record.presenter) || (author !== undefined && plan.user === author.id)
    const isThere = record.place !== '' && isSamePlace(plan, record)
    if ((isThem || isThere) && (await numberOf(c, plan.talk)) === number) fitting.push(plan)
  }
  return fitting.toSorted((a, b) => b.week.localeCompare(a.week))[0]
}

/** A talk whatever its revision. */
async function numberOf(c: Context, id: number): Promise<string | undefined> {
  const talk = await c.get(document, id)
  return talk && `${talk.clientId} ${talk.documentNumber}`
}

export const talkSchedule = feature({
  pack: 'safety',
  resources: [scheduledTalk],
  behaviours: [scheduling],
  routes: [suggestedTalks],
  handlers: [tickPlans],
  schedules: [remindPresenters],
  notifications: [plannedNotice],
  seeds: () => import('./demo.server.ts'),
})
