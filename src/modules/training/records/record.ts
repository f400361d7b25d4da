import { choice, date, flag, instant, link, longText, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { presentedTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { trainingCourse } from '../courses/course.ts'
import { TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'
import { TRAINING_ROWS } from './access.ts'

/** Most people in one entry for a group. */
export const MAX_GROUP = 200

/** Certificate or other proof. It is uploaded before the records that refer to it, and never changes. */
export const trainingProof = resource({
  type: 'TrainingProof',
  service: 'employees',
  path: 'training_proofs',
  table: 'training_proof',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  pack: 'safety',
  appendOnly: true,
  fields: { ...storedFileFields, name: text({ readonly: true, notNull: true }) },
  allow: {
    read: TRAINING_READER_ROLES,
    rows: [{ unless: TRAINING_ROLES, only: only.inSet('id', 'training_proofs_visible') }],
  },
})

export const RESULTS = [
  { value: 'passed', label: 'Passed' },
  { value: 'attended', label: 'Attended' },
  { value: 'failed', label: 'Failed' },
  { value: 'void', label: 'Recorded in error' },
] as const

/** Training of a person. It never changes: a correction is a further record that replaces it. */
export const trainingRecord = resource({
  type: 'TrainingRecord',
  service: 'employees',
  path: 'training_records',
  table: 'training_record',
  tenant: 'own',
  order: ['-completedOn', '-id'],
  pack: 'safety',
  appendOnly: true,
  fields: {
    employee: link(() => employee, {
      required: 'Please choose a person',
      embed: ['name'],
      filter: true,
      label: 'Person',
    }),
    course: link(() => trainingCourse, { required: 'Please choose a course', embed: ['name'], filter: true }),
    completedOn: date({ required: 'Please enter the day', filter: true, order: true, label: 'Date' }),
    validUntil: date({
      filter: true,
      order: true,
      label: 'Valid until',
      help: 'Empty: calculated from the validity of the course.',
    }),
    validityReason: text({ default: '', max: 300, label: 'Reason for another last day' }),
    result: choice(RESULTS, { required: 'Please choose a result', filter: true }),
    provider: text({ default: '', max: 200, stripInvisible: true, label: 'Training provider' }),
    externalNumber: text({
      default: '',
      max: 100,
      stripInvisible: true,
      filter: 'partial',
      label: 'Certificate number',
    }),
    proof: link(() => trainingProof, { embed: ['name', 'type', 'url', 'thumbnailUrl'], filter: true }),
    /** Record of a toolbox talk from which the portal added this one. */
    talk: link(() => presentedTalk, { hideUnreadable: true, filter: true, editable: 'nobody', label: 'Toolbox talk' }),
    replaces: link((): Resource => trainingRecord, { filter: true, label: 'Corrects the record' }),
    reason: longText({ default: '', max: 1000, label: 'Reason for the correction' }),
    replaced: flag({
      readonly: true,
      sql: 'EXISTS (SELECT FROM training_record n WHERE n.client_id = t.client_id AND n.replaces_id = t.id)',
      label: 'Corrected',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Recorded' }),
  },
  allow: { read: TRAINING_READER_ROLES, create: TRAINING_ROLES, rows: TRAINING_ROWS },
})

const { result, completedOn, validUntil, validityReason, provider, course, proof } = trainingRecord.fields

/** Input of one course for several people. */
export const groupFields = {
  course,
  result,
  completedOn,
  validUntil,
  validityReason,
  provider,
  proof,
  employees: strings({ required: 'Please choose people', max: MAX_GROUP, label: 'People' }),
} as const

export const GROUP_URL = `${trainingRecord.url}/group`
export const PROOFS_URL = `${trainingProof.url}/files`
