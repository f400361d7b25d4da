import type { RowOf } from '#kernel/resource.ts'
import { toSearchForm } from '#kernel/text/search.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { talkAttendedEvent, talkRecordedEvent } from '#modules/safety/talks/events.ts'
import { presentedTalk, talkAttendee } from '#modules/safety/talks/toolbox-talk.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainingRecord } from './record.ts'

type Talk = RowOf<typeof presentedTalk>
type TrainingRecord = RowOf<typeof trainingRecord>

/** Returns the employees who took part in a closed talk: they signed, and were not marked as absent. */
async function findParticipants(c: Context, talk: Talk): Promise<number[]> {
  if (!talk.complete || talk.retired) return []
  const present = (await c.find(talkAttendee, { presented: talk.id })).filter((one) => one.signedAt && !one.absence)
  const users = present.flatMap((one) => (one.user && !one.employee ? [one.user] : []))
  const joined = users.length ? await c.find(employee, { user: users }) : []
  return [...new Set([...present.flatMap((one) => one.employee ?? []), ...joined.map(({ id }) => id)])]
}

/** Returns the records of a talk that count: no later record replaces them, and none states an error. */
async function findCounted(c: Context, talk: number): Promise<TrainingRecord[]> {
  const all = await c.find(trainingRecord, { talk })
  const replaced = new Set(all.map(({ replaces }) => replaces))
  return all.filter(({ id, result }) => !replaced.has(id) && result !== 'void')
}

/**
 * Brings the training records into line with the record of a talk: one for each participant and each course that the
 * talk counts as. Those of a deleted record are marked as errors.
 */
async function recordTalk(c: Context, { presented }: { readonly presented: number }): Promise<void> {
  const talk = await c.get(presentedTalk, presented)
  if (!talk) return
  const title = toSearchForm(talk.title ?? '')
  const courses = (await c.find(trainingCourse, { retired: false })).filter(
    ({ talkTitle }) => talkTitle && toSearchForm(talkTitle) === title,
  )
  const participants = await findParticipants(c, talk)
  const counted = await findCounted(c, talk.id)
  const right = c.withoutPermissionCheck('training is recorded from a toolbox talk')
  const missing = courses.flatMap(({ id: course }) =>
    participants
      .filter((of) => !counted.some((one) => one.employee === of && one.course === course))
      .map((of) => ({
        employee: of,
        course,
        completedOn: talk.date,
        result: 'attended' as const,
        provider: talk.presenter,
        talk: talk.id,
      })),
  )
  if (missing.length) await right.createAll(trainingRecord, missing)
  if (!talk.retired || !counted.length) return
  await right.createAll(
    trainingRecord,
    counted.map(({ id, employee: of, course, completedOn }) => ({
      employee: of,
      course,
      completedOn,
      result: 'void' as const,
      talk: talk.id,
      replaces: id,
      reason: 'The record of the toolbox talk was deleted.',
    })),
  )
}

const step = { queue: 'events', run: recordTalk } as const

export const talkHandlers = [
  eventHandler(talkAttendedEvent, { name: 'training.record-talk', ...step }),
  eventHandler(talkRecordedEvent, { name: 'training.follow-talk', ...step }),
]
