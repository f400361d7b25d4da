import { problem, type Violation, violation } from '#kernel/errors.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { trainingCourse } from '../courses/course.ts'
import { TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'
import { GROUP_URL, groupFields, PROOFS_URL, trainingProof, trainingRecord } from './record.ts'
import { talkHandlers } from './talks.server.ts'
import { validityEnd } from './validity.ts'

type Save = Context & BeforeSaveInput<typeof trainingRecord>
type Course = RowOf<typeof trainingCourse>
type Values = Save['values']

const isValidResult = (result: Values['result']) => result === 'passed' || result === 'attended'

const findCourse = (c: Context, id: number): Promise<Course | undefined> =>
  c.once(`training course ${id}`, () => c.get(trainingCourse, id))

/** Returns the violations of dates and result. `end` is the last day by the validity of the course. */
function recordViolations(values: Values, end: string | null, today: string): Violation[] {
  const { completedOn = '', validUntil, validityReason, result, replaces } = values
  const isValid = isValidResult(result)
  const isOwnEnd = Boolean(validUntil) && validUntil !== end
  return [
    ...(completedOn > today ? [violation('completedOn', 'The training has not taken place yet')] : []),
    ...(validUntil && !isValid ? [violation('validUntil', 'Only training that was passed or attended is valid')] : []),
    ...(validUntil && validUntil < completedOn ? [violation('validUntil', 'The last day is before the training')] : []),
    ...(isOwnEnd && isValid && !validityReason
      ? [violation('validityReason', 'Please enter the reason for another last day', 'required')]
      : []),
    ...(!isOwnEnd && validityReason
      ? [violation('validityReason', 'The last day is the one of the course, so no reason is needed')]
      : []),
    ...(result === 'void' && !replaces
      ? [violation('result', 'Only a correction can state that a record was entered in error')]
      : []),
  ]
}

/** Throws if the replaced record belongs to another person or course, or is replaced already, or without a reason. */
async function refuseWrongCorrection(c: Save): Promise<void> {
  const { replaces, reason, employee: of, course } = c.values
  if (!replaces && !reason) return
  const replaced = replaces ? await c.get(trainingRecord, replaces) : undefined
  if (!replaced) throw problem.invalid([violation('replaces', 'Please choose the record that this one corrects')])
  if (replaced.employee !== of || replaced.course !== course)
    throw problem.invalid([
      violation(
        'replaces',
        'A correction is of the same person and course. Mark the wrong record as an error instead.',
      ),
    ])
  if (!reason) throw problem.invalid([violation('reason', 'Please enter the reason for the correction', 'required')])
  if (await c.exists(trainingRecord, { replaces: replaced.id }))
    throw problem.conflict('This record has been corrected already. Please correct the later one.')
}

/** Throws for people who had left before the training, and for one's own training without a proof. */
async function refuseEmployee(c: Save, id: number): Promise<void> {
  const person = await c.lock(employee, id, 'values')
  const { completedOn = '', proof, result } = c.values
  if (result !== 'void' && person.retired && (!person.leavingDate || person.leavingDate < completedOn))
    throw problem.conflict(
      person.leavingDate
        ? `${person.name} left on ${formatIsoDateAsUk(person.leavingDate)}, before this training.`
        : `${person.name} has left.`,
    )
  const isOwn = person.user !== null && person.user === c.actor.userId && !c.actor.kind
  if (isOwn && isValidResult(result) && !proof)
    throw problem.invalid([
      violation('proof', 'Please add the certificate: your own training is recorded only with a proof', 'required'),
    ])
}

const recordBehaviour = behaviour(trainingRecord, {
  beforeSave: async (c) => {
    const { employee: of, course: courseId, completedOn, result, validUntil } = c.values
    if (!of || !courseId || !completedOn || !result) return undefined
    const course = await findCourse(c, courseId)
    if (!course) throw problem.unknownTarget(iriOf(trainingCourse, courseId))
    if (course.retired && !c.values.replaces) throw problem.invalid([violation('course', 'This course is retired')])
    const end = isValidResult(result) ? validityEnd(completedOn, course) : null
    const wrong = recordViolations(c.values, end, londonDate(c.now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    await refuseEmployee(c, of)
    await refuseWrongCorrection(c)
    return { validUntil: validUntil ?? end, createdAt: c.now.toString() }
  },
})

/** Returns the IDs of employees. Throws 400 for any other text. */
const employeeIds = (given: readonly string[]): number[] =>
  [...new Set(given)].map((iri) => {
    const id = idFromIriOrNumber(employee, iri)
    if (id === undefined) throw problem.invalidIri(iri)
    return id
  })

const groupRoute = routeWithInput(groupFields, {
  method: 'POST',
  path: GROUP_URL,
  title: 'Record one course for several people; either all records are added or none',
  allow: TRAINING_ROLES,
  handle: ({ engine, me, input, change }) => {
    const { employees, ...values } = input
    const ids = employeeIds(employees)
    return engine.inTenant(me.clientId, change(), async (c) => {
      const found = await c.lockAll(employee, { id: ids })
      const missing = ids.find((id) => !found.some((one) => one.id === id))
      if (missing !== undefined) throw problem.unknownTarget(iriOf(employee, missing))
      const added = await c.createAll(
        trainingRecord,
        ids.map((id) => ({ ...values, employee: id })),
      )
      return () => ({ '@id': GROUP_URL, '@type': 'TrainingRecordGroup', records: added.length })
    })
  },
})

/** Every record and every proof is sealed when it is created. */
const trainingEvidence = [
  defineSavedEvidence({
    of: trainingRecord,
    named: ({ id }) => `training record ${Number(id)}`,
    columns: {
      employee_id: 'person',
      course_id: 'course',
      completed_on: 'day',
      external_number: 'certificate number',
      proof_id: 'proof',
      talk_id: 'toolbox talk',
      replaces_id: 'corrected record',
      author: 'person who recorded it',
      created_at: 'time',
    },
  }),
  {
    ...defineSavedEvidence({ of: trainingProof, named: ({ name }) => `the proof of training “${String(name)}”` }),
    file: { key: 'file_key', checksum: 'checksum' },
  },
]

export const records = feature({
  resources: [trainingProof, trainingRecord],
  behaviours: [recordBehaviour],
  routes: [
    createUploadRoute({
      path: PROOFS_URL,
      title: 'Upload a certificate: multipart/form-data with `file`',
      allow: TRAINING_ROLES,
      into: trainingProof,
      place: async ({ engine }) => ({ createdAt: engine.clock.now().toString() }),
    }),
    ...createFileRoutes(trainingProof, TRAINING_READER_ROLES),
    groupRoute,
  ],
  handlers: talkHandlers,
  pack: 'safety',
  evidence: trainingEvidence,
})
