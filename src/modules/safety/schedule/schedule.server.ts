import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isPersonName, isSamePersonName, normalisePersonName } from '#kernel/signature.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { canReadDocument } from '#modules/documents/signoff/may-read.server.ts'
import { document } from '#modules/documents/types/document.ts'
import { documentRecordTitle } from '#modules/documents/types/kind.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { talkRecordedEvent } from '../talks/events.ts'
import { loadPresentableTalkTitle } from '../talks/in-force.server.ts'
import { linkAttendeeAccounts } from '../talks/presented-rules.server.ts'
import { PRESENTER_ROLES, presentedTalk, toolboxTalk } from '../talks/toolbox-talk.ts'
import { talkScheduleNav } from './paths.ts'
import { scheduledTalk } from './scheduled-talk.ts'
import { type PastTalkPresentation, suggestTalks, type TalkSeason } from './suggesting.ts'

const MAX_SCHEDULE_ROWS = 1000

const seasons = (): readonly TalkSeason[] => readReferenceFile('talk-seasons.json')

/**
 * Route `GET scheduled_talks/suggested` that returns `{@id, title, documentNumber, isTemplate, why}` for each suggested
 * talk, seasonal talks first.
 */
const suggestedTalksRoute: Route = {
  method: 'GET',
  path: `${scheduledTalk.url}/suggested`,
  title: 'List suggested talks: seasonal talks and talks not presented for a long time',
  allow: DOCUMENT_AUTHOR_ROLES,
  listOf: 'objects',
  handle: async (c) => {
    const today = londonDate(c.engine.clock.now())
    const [talks, given, planned] = await Promise.all([
      readAll(c, toolboxTalk.resource, { current: 'true', retired: 'false' }),
      readAll(c, presentedTalk, { retired: 'false', 'order[date]': 'desc' }),
      readAll(c, scheduledTalk, { retired: 'false', 'week[after]': mondayOf(today).toString() }),
    ])
    const last: PastTalkPresentation[] = given.map(({ title, date }) => ({ title: title ?? '', date }))
    return hydraCollection(
      suggestTalks({
        today,
        seasons: seasons(),
        given: last,
        planned: planned.map(({ title }) => title ?? ''),
        talks: talks.map((t) => ({
          '@id': t['@id'],
          title: documentRecordTitle(toolboxTalk, t),
          documentNumber: t.documentNumber,
          isTemplate: t.isTemplate === true,
        })),
      }).map((one) => ({ ...one })),
    )
  },
}

const readAll = async <R extends typeof presentedTalk | typeof scheduledTalk | typeof toolboxTalk.resource>(
  c: RouteContext,
  r: R,
  query: Readonly<Record<string, string>>,
) => (await c.engine.list(r, c.me, query, { limit: MAX_SCHEDULE_ROWS, offset: 0 }, { count: false })).members

/** Notification: the user has to present a talk in a given week. */
const plannedTalkNotice = declareNotificationType({
  kind: 'talk.planned',
  label: 'Talks for me to present',
  for: PRESENTER_ROLES,
  icon: 'calendar',
  of: scheduledTalk,
  words: ({ title, week, place }) =>
    `Present “${title}” in the week of ${formatIsoDateAsUk(week)}${place ? `: ${place}` : ''}`,
  path: () => `${talkScheduleNav.path}?show=mine`,
  waits: 'Documents',
  todo: 'to present',
  mail: true,
})

/**
 * Schedule that reminds presenters on the Friday before the planned week, on its Monday and on its Friday, unless the
 * talk has been presented.
 */
const remindPresenters = reminderSchedule({
  name: 'talk.planned',
  of: scheduledTalk,
  on: 'week',
  daily: '07:00',
  daysBefore: [3, 0, -4],
  where: { presented: null, retired: false },
  unless: (_c, plan) => plan.user === null,
  send: async (c, { id, user }) => {
    if (user !== null) await notifyUsers(c, plannedTalkNotice, [{ to: user, about: id }])
  },
})

type Plan = RowOf<typeof scheduledTalk>
type Save = Context & BeforeSaveInput<typeof scheduledTalk>
type Day = Temporal.PlainDate

/** Maximum number of weeks ahead for which talks can be planned. */
const WEEKS_AHEAD = 53
/**
 * Number of weeks after the planned week within which presenting the talk is still treated as the planned presentation.
 */
const WEEKS_LATE = 4

/** Rules for planned talks. Once a planned talk has been presented, only its notes can be changed. */
const scheduledTalkBehaviour = behaviour(scheduledTalk, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before && before.presented !== null && Object.keys(changes).some((name) => name !== 'notes'))
      throw problem.conflict('This planned talk has been presented and can’t be changed.')
    const week = changes.week === undefined ? undefined : weekOf(changes.week, londonDate(c.now))
    const presenter = changes.presenter === undefined ? undefined : await presenterOf(c, values.presenter)
    const title = before && changes.talk === undefined ? undefined : await loadPresentableTalkTitle(c, values.talk)
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
      await notifyUsers(c, plannedTalkNotice, [{ to, about: id }])
  },
})

/** Returns the Monday of the week that contains the day. Throws 422 if that week is past or too far ahead. */
function weekOf(given: unknown, today: Day): string {
  if (typeof given !== 'string') throw problem.invalid([violation('week', 'Please choose a week')])
  const week = mondayOf(Temporal.PlainDate.from(given))
  const ahead = mondayOf(today).until(week).days / 7
  if (ahead < 0) throw problem.invalid([violation('week', 'This week is in the past. Please choose another week')])
  if (ahead > WEEKS_AHEAD) throw problem.invalid([violation('week', 'Please choose a week within a year')])
  return week.toString()
}

/**
 * Returns the presenter, with the account if only one account has the presenter's name. Throws 422 for an invalid name.
 */
async function presenterOf(c: Context, given: string | undefined) {
  const [found] = await linkAttendeeAccounts(c, [{ name: given ?? '' }])
  const name = found?.name ?? ''
  if (!isPersonName(name)) throw problem.invalid([violation('presenter', 'Please enter a person’s name')])
  return { name, user: found?.user ?? null }
}

/** Throws 422 if the presenter can't read the talk. */
async function refuseUnheard(c: Context, { talk, user: id, presenter }: Partial<Plan>): Promise<void> {
  const [doc, who] = [
    talk === undefined ? undefined : await c.get(document, talk),
    id ? await c.get(user, id) : undefined,
  ]
  if (!doc || !who || canReadDocument(who, doc)) return
  throw problem.invalid([
    violation('presenter', `${presenter} can’t read this talk. Please choose somebody in the talk’s audience`),
  ])
}

/** Throws 409 if the same talk is already planned for the same week, place and presenter. */
async function refuseTwice(c: Save, plan: Partial<Plan>): Promise<void> {
  if (plan.retired || plan.week === undefined || plan.talk === undefined) return
  const same = await c.find(scheduledTalk, { talk: plan.talk, week: plan.week, retired: false })
  const twin = same.find(
    (one) => one.id !== c.before?.id && isSamePersonName(one.presenter, plan.presenter ?? '') && isSamePlace(one, plan),
  )
  if (twin) throw problem.conflict('This talk is already planned for that week, place and presenter.')
}

const isSamePlace = (a: Pick<Plan, 'place'>, b: { readonly place?: string }) =>
  normalisePersonName(a.place) === normalisePersonName(b.place ?? '')

/**
 * Event handler that marks a planned talk as presented when its record is started or restored, and reopens the planned
 * talk when the record is deleted.
 */
const fulfilTalkPlans = eventHandler(talkRecordedEvent, {
  name: 'talk.tick-plans',
  queue: 'events',
  run: async (c, { presented: id }) => {
    const record = await c.get(presentedTalk, id)
    if (!record) return
    const unguarded = c.withoutPermissionCheck('mark a scheduled talk as presented')
    const [kept] = await c.lockAll(scheduledTalk, { presented: id })
    if (record.retired && kept) return void (await unguarded.set(scheduledTalk, kept, { presented: null }, 'reopen'))
    if (record.retired || kept) return
    const plan = await planFor(c, record)
    if (plan) await unguarded.set(scheduledTalk, plan, { presented: id }, 'tick')
  },
})

/**
 * Returns the open planned talk to which a record belongs. Both must be for the same talk, the planned week must be the
 * record's week or one of the `WEEKS_LATE` weeks before, and the presenter or the place must match.
 */
async function planFor(c: Context, record: RowOf<typeof presentedTalk>): Promise<Plan | undefined> {
  const week = mondayOf(Temporal.PlainDate.from(record.date))
  const weeks = Array.from({ length: WEEKS_LATE + 1 }, (_, n) => week.subtract({ weeks: n }).toString())
  const open = await c.lockAll(scheduledTalk, { week: weeks, presented: null, retired: false })
  const number = await numberOf(c, record.talk)
  const [author] = await c.find(user, { username: record.author ?? '' })
  const fitting: Plan[] = []
  for (const plan of open) {
    const isThem =
      isSamePersonName(plan.presenter, record.presenter) || (author !== undefined && plan.user === author.id)
    const isThere = record.place !== '' && isSamePlace(plan, record)
    if ((isThem || isThere) && (await numberOf(c, plan.talk)) === number) fitting.push(plan)
  }
  return fitting.toSorted((a, b) => b.week.localeCompare(a.week))[0]
}

/** Returns the client ID and the document number, which all revisions of a talk share. */
async function numberOf(c: Context, id: number): Promise<string | undefined> {
  const talk = await c.get(document, id)
  return talk && `${talk.clientId} ${talk.documentNumber}`
}

export const talkScheduleFeature = feature({
  pack: 'safety',
  resources: [scheduledTalk],
  behaviours: [scheduledTalkBehaviour],
  routes: [suggestedTalksRoute],
  handlers: [fulfilTalkPlans],
  schedules: [remindPresenters],
  notifications: [plannedTalkNotice],
  seeds: () => import('./demo.server.ts'),
})
