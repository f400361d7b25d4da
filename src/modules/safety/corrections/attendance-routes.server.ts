import { problem } from '#kernel/errors.ts'
import { choice, type Fields, flag, integer, json, link, strings, text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { type InputOf, resource, type Verb } from '#kernel/resource.ts'
import { MAX_SIGNATURE_POINTS } from '#kernel/signature.ts'
import { SIGNING_METHODS } from '#modules/documents/types/document.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { present } from '#server/engine/field-access.ts'
import { lockAccessible } from '#server/engine/lock-accessible.ts'
import type { Route } from '#server/engine/route.ts'
import { readDeclared } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import {
  addAttendees,
  markAttendeeAbsent,
  removeAttendee,
  saveAttendanceSignature,
} from '../talks/attendance.server.ts'
import { PRESENTER_ROLES, presentedTalk, talkAttendance, talkAttendee } from '../talks/toolbox-talk.ts'

/** A person on the record's attendance list. Access is checked on the record, membership after the record is locked. */
const ofRecord = resource({ ...talkAttendee, allow: { read: PRESENTER_ROLES } })
const person = link(() => ofRecord, { required: 'Please choose a person' })

/**
 * Defines a route that changes one record's attendance; its answer is read after the write. Open to those who keep
 * attendance unless another permission is given; others get 403 before their input is validated.
 */
function door<I extends Fields>(
  name: string,
  title: string,
  input: I,
  work: (
    c: Context,
    id: number,
    input: InputOf<I>,
  ) => Promise<(send: (w: PendingWrite<typeof talkAttendee>) => ApiRecord) => ApiRecord>,
  reach: Verb = 'update',
): Route {
  return {
    method: 'POST',
    path: `${presentedTalk.url}/{id}/${name}`,
    title,
    allow: PRESENTER_ROLES,
    input,
    handle: async (r) => {
      const { engine, me, params, change } = r
      const id = readId(params.id)
      if (id === undefined) throw problem.notFound()
      const declared = await readDeclared(r, input)
      return engine.inTenant(me.clientId, { ...change<ApiRecord>(), resource: presentedTalk, id }, async (c) => {
        await lockAccessible(c, talkAttendance, reach, id)
        if (declared.wrong.length) throw problem.invalid(declared.wrong)
        const answer = await work(c, id, declared.input)
        return () => answer((written) => present(talkAttendee, me, written))
      })
    },
  }
}

/**
 * Routes for the attendees of a presented talk, one at a time. No call replaces the whole list, so nobody's signature
 * is overwritten.
 */
export const attendanceRoutes: readonly Route[] = [
  door(
    'sign',
    'Sign for a presented talk; late if its record is closed',
    {
      attendee: link(() => ofRecord, { help: 'Row of the named attendee; one’s own if left out.' }),
      name: text({ default: '', help: 'Name of a visitor, or of the person signed for, who is not on the list.' }),
      method: choice(SIGNING_METHODS, { required: 'Please sign in the box' }),
      strokes: json({ max: MAX_SIGNATURE_POINTS }),
      visitor: flag(),
      shownName: text({
        help: 'Name in the row as the signatory read it; refused if it has changed since.',
      }),
      shownUser: integer({
        help: 'User id of the row as it was read; refused if it has changed since.',
      }),
    },
    async (c, id, { attendee: row = null, ...given }) => {
      const written = await saveAttendanceSignature(c, id, { attendee: row, ...given })
      return (send) => send(written)
    },
    // Everybody who may hear the talk.
    'read',
  ),
  door(
    'people',
    'Add people to the attendance list of a presented talk',
    { names: strings({ required: 'Please enter a name' }) },
    async (c, id, { names }) => {
      const written = await addAttendees(c, id, names)
      return (send) => ({ attendees: written.map(send) })
    },
  ),
  door(
    'absent',
    'Mark somebody as absent, with a reason',
    {
      attendee: person,
      absence: text({ max: 500, required: 'Please enter a reason: on holiday, off sick, on another site' }),
    },
    async (c, id, { attendee: row, absence }) => {
      const written = await markAttendeeAbsent(c, id, row, absence)
      return (send) => send(written)
    },
  ),
  door('strike', 'Remove somebody who has not signed from the list', { attendee: person }, async (c, id, input) => {
    await removeAttendee(c, id, input.attendee)
    return () => ({ attendee: `${talkAttendee.url}/${input.attendee}` })
  }),
]
