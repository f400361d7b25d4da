import { problem, type Violation, violation } from '#kernel/errors.ts'
import { choice, type Fields, flag, instant, integer, json, link, strings, text, typedJson } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { type AccessVerb, type ActionInputOf, iriOf, type RowOf, resource } from '#kernel/resource.ts'
import { MAX_SIGNATURE_POINTS } from '#kernel/signature.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { SIGNING_METHODS } from '#modules/documents/types/document.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { lockAccessibleRecord } from '#server/engine/lock-accessible.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { readWrittenRecord } from '#server/engine/reads.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { parseDeclaredBody } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import {
  addAttendees,
  markAttendeeAbsent,
  removeAttendee,
  saveAttendanceSignature,
} from '../talks/attendance.server.ts'
import { checkDevicePin, type DevicePin } from '../talks/device-pin.server.ts'
import { findPresenter } from '../talks/employees-at-talks.server.ts'
import { validateHeldInForce } from '../talks/in-force.server.ts'
import { type AttendanceSignature, validateTalkRecordFields } from '../talks/presented-rules.server.ts'
import { PRESENTED_TALKS_PATH } from '../talks/talk-info.ts'
import {
  PRESENTER_ROLES,
  presentedTalk,
  SIGNED_TALK_FIELDS,
  talkAttendance,
  talkAttendee,
  talkCorrection,
  talkCorrectionWithRecord,
} from '../talks/toolbox-talk.ts'

/**
 * Attendee named in a request. The routes check access to the record first; whether the attendee is on that record's
 * list is checked after the record is locked.
 */
const ofRecord = resource({ ...talkAttendee, allow: { read: PRESENTER_ROLES } })
const employer = {
  company: text({ default: '', max: 255, help: 'Company of people without an account.' }),
  trade: text({ default: '', max: 255, help: 'Trade of people without an account.' }),
} as const
const areEmployeeIds = (value: unknown): boolean => Array.isArray(value) && value.every(Number.isSafeInteger)
const person = link(() => ofRecord, { required: 'Please choose a person' })

interface AttendanceRouteOptions<I extends Fields> {
  readonly reach?: AccessVerb
  /** Compares the signing PIN in the input, before the transaction begins. */
  readonly readPin?: (r: RouteContext, id: number, input: ActionInputOf<I>) => Promise<DevicePin | undefined>
}

/** Returns the signature in a request. Without a row, the signature is for the signed-in user's own row. */
const signatureOf = <S extends Omit<AttendanceSignature, 'attendee'> & { readonly attendee?: number | null }>(
  input: S,
): AttendanceSignature => ({ ...input, attendee: input.attendee ?? null })

/**
 * Defines a route that changes the attendance of one record and returns the changed attendee. Requires the permission
 * named by `reach`, by default `update`. Without it, the user gets 403 before the input is validated.
 */
function door<I extends Fields>(
  name: string,
  title: string,
  input: I,
  work: (
    c: Context,
    id: number,
    input: ActionInputOf<I>,
    pin: DevicePin | undefined,
  ) => Promise<(send: (w: PendingWrite<typeof talkAttendee>) => Promise<ApiRecord>) => ApiRecord | Promise<ApiRecord>>,
  { reach = 'update', readPin }: AttendanceRouteOptions<I> = {},
): Route {
  return {
    method: 'POST',
    path: `${presentedTalk.url}/{id}/${name}`,
    title,
    allow: PRESENTER_ROLES,
    input,
    handle: async (r) => {
      const { engine, me, params, change } = r
      const id = parseId(params.id)
      if (id === undefined) throw problem.notFound()
      const declared = await parseDeclaredBody(r, input)
      const pin = declared.wrong.length ? undefined : await readPin?.(r, id, declared.input)
      return engine.inTenant(me.clientId, { ...change<ApiRecord>(), resource: presentedTalk, id }, async (c) => {
        await lockAccessibleRecord(c, talkAttendance, reach, id)
        if (declared.wrong.length) throw problem.invalid(declared.wrong)
        const answer = await work(c, id, declared.input, pin)
        return () => answer((written) => readWrittenRecord(engine, talkAttendee, me, written, declared.input))
      })
    },
  }
}

/**
 * Routes that sign for, add, mark as absent or remove individual attendees of a presented talk. No route replaces the
 * complete list, so nobody's signature can be overwritten.
 */
const attendanceRoutes: readonly Route[] = [
  door(
    'sign',
    'Sign as an attendee of a presented talk. If the record is closed, the signature is marked as late',
    {
      attendee: link(() => ofRecord, {
        help: 'The attendee’s row in the list. If omitted, the signed-in user’s own row is used.',
      }),
      name: text({
        default: '',
        help: 'Name of the visitor, or of the person signed for, if that person is not on the list yet.',
      }),
      method: choice(SIGNING_METHODS, { required: 'Please sign in the box' }),
      strokes: json({ max: MAX_SIGNATURE_POINTS }),
      visitor: flag(),
      shownName: text({
        help: 'Name in the row as shown to the signatory. The request is refused if the name has changed since.',
      }),
      shownUser: integer({
        help: 'User ID in the row as shown to the signatory. The request is refused if the ID has changed since.',
      }),
      pin: text({
        max: 2000,
        help: 'Signing PIN of a person with an account, sealed for the key that `signing_pins` returns. Needed if the company requires it.',
      }),
      drawnAt: instant({
        help: 'Time by the clock of the device at which the person signed, if the signature is sent later. Impossible times are ignored.',
      }),
      ...employer,
    },
    async (c, id, input, pin) => {
      const written = await saveAttendanceSignature(c, id, signatureOf(input), pin)
      return (send) => send(written)
    },
    // Everybody who may read the talk may use this route.
    { reach: 'read', readPin: (r, id, input) => checkDevicePin(r, id, signatureOf(input)) },
  ),
  door(
    'people',
    'Add people to the attendance list of a presented talk',
    {
      names: strings({ required: 'Please enter a name' }),
      employees: typedJson<readonly number[]>()({
        help: 'ID of the employee for each name that was chosen; 0 for other names.',
      }),
      listed: flag({
        help: 'Accepts the names of people who are already on the list, and returns their rows. By default, such names are refused.',
      }),
      ...employer,
    },
    async (c, id, { names, employees, ...given }) => {
      if (!areEmployeeIds(employees ?? []))
        throw problem.invalid([violation('employees', 'Please send the ID of an employee, or 0, for each name')])
      const rows = await addAttendees(c, id, names, { ...given, employees: employees ?? [] })
      return async (send) => ({
        attendees: await Promise.all(
          rows.map(async (row) => ('id' in row ? { '@id': iriOf(talkAttendee, row.id) } : send(row))),
        ),
      })
    },
  ),
  door(
    'absent',
    'Mark a person as absent, with a reason',
    {
      attendee: person,
      absence: text({
        max: 500,
        required: 'Please enter a reason, such as “On holiday”, “Off sick” or “On another site”',
      }),
    },
    async (c, id, { attendee: row, absence }) => {
      const written = await markAttendeeAbsent(c, id, row, absence)
      return (send) => send(written)
    },
  ),
  door(
    'strike',
    'Remove a person who has not signed from the attendance list',
    { attendee: person },
    async (c, id, input) => {
      await removeAttendee(c, id, input.attendee)
      return () => ({ attendee: `${talkAttendee.url}/${input.attendee}` })
    },
  ),
]

/** Notification: a talk record that the user had signed was corrected. */
const correctedNotice = declareNotificationType({
  kind: 'talk.corrected',
  label: 'Corrections to records of talks that I signed',
  for: DOCUMENT_READER_ROLES,
  icon: 'checklist',
  of: talkCorrectionWithRecord,
  words: ({ presented: { title }, reason }) => `The record of “${title}”, which you signed, was corrected: “${reason}”`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  mail: true,
})

/** Returns a violation if a talk would be dated after the day on which one of its attendees signed. */
function dateAfterSignatures(people: readonly RowOf<typeof talkAttendee>[], date: string): Violation[] {
  const days = people.flatMap(({ name, signedAt, drawnAt }) =>
    signedAt ? [{ name, day: londonDate(Temporal.Instant.from(drawnAt ?? signedAt)).toString() }] : [],
  )
  const [first] = days.toSorted((a, b) => a.day.localeCompare(b.day))
  if (!first || date <= first.day) return []
  const signed = `${first.name} signed on ${formatIsoDateAsUk(first.day)}, so the talk can’t have been after that.`
  return [violation('date', `${signed} Please choose that date or an earlier one`, 'too_big')]
}

/**
 * Rules for corrections of a signed record, which are possible while the record is open. The signed values are stored
 * with the correction, and the signatories are notified.
 */
const talkCorrectionBehaviour = behaviour(talkCorrection, {
  beforeSave: async (c) => {
    const { values, now } = c
    if (values.presented === undefined) return undefined
    const record = await c.lock(talkAttendance, values.presented)
    if (record.complete) throw problem.conflict('This record is closed and can’t be changed.')
    if (record.retired) throw problem.conflict('This record has been deleted. Please restore it first.')
    if (!record.signed) throw problem.conflict('Nobody has signed this record yet: please edit it instead.')
    const changed = SIGNED_TALK_FIELDS.filter((name) => values[name] && values[name] !== record[name])
    if (!changed.length)
      throw problem.invalid([
        violation('date', 'The record already has these details. Please change what needs correcting'),
      ])
    const said = Object.fromEntries(changed.map((name) => [name, values[name]]))
    const wrong = [
      ...validateTalkRecordFields(said, { ...record, ...said }, now),
      ...(said.date
        ? dateAfterSignatures(await c.find(talkAttendee, { presented: record.id }), String(said.date))
        : []),
      ...(said.date || said.startTime ? await validateHeldInForce(c, record.talk, { ...record, ...said }) : []),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    return {
      ...Object.fromEntries(SIGNED_TALK_FIELDS.map((name) => [name, said[name] ?? null])),
      formerly: Object.fromEntries(changed.map((name) => [name, record[name] ?? ''])),
      createdAt: now.toString(),
    }
  },
  afterSave: async (c) => {
    const { presented, presenter, place, date, startTime, finishTime, notes, id } = await c.written.saved()
    const record = await c.lock(talkAttendance, presented)
    const facts = {
      ...(presenter ? { presenter, ...(await findPresenter(c, presenter)) } : {}),
      ...(place ? { place } : {}),
      ...(date ? { date } : {}),
      ...(startTime ? { startTime } : {}),
      ...(finishTime ? { finishTime } : {}),
      ...(notes ? { notes } : {}),
    }
    await c.set(talkAttendance, record, facts, 'correct')
    const signers = (await c.find(talkAttendee, { presented })).flatMap(({ signedAt, signer }) =>
      signedAt && signer && signer !== c.actor.userId ? signer : [],
    )
    await notifyUsers(
      c,
      correctedNotice,
      [...new Set(signers)].map((to) => ({ to, about: id })),
    )
  },
})

export const talkRecordsFeature = feature({
  pack: 'safety',
  behaviours: [talkCorrectionBehaviour],
  routes: attendanceRoutes,
  notifications: [correctedNotice],
})
