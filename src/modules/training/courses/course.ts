import { choice, date, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { department, employee } from '#modules/people/employees/employee.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { SESSION_READER_ROLES, TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'

/** Most months for which a course is valid. */
const MAX_MONTHS = 600
/** Most days of grace. */
const MAX_GRACE_DAYS = 3660
/** Most days before the fixed day of a year on which a pass counts for the coming year. */
const MAX_RETAKE_GRACE_DAYS = 180

export const RETAKE_MONTHS = [
  { value: '01', label: 'January' },
  { value: '02', label: 'February' },
  { value: '03', label: 'March' },
  { value: '04', label: 'April' },
  { value: '05', label: 'May' },
  { value: '06', label: 'June' },
  { value: '07', label: 'July' },
  { value: '08', label: 'August' },
  { value: '09', label: 'September' },
  { value: '10', label: 'October' },
  { value: '11', label: 'November' },
  { value: '12', label: 'December' },
] as const

const courseFields = {
  name: text({
    required: 'Please enter the name of the course',
    max: 200,
    stripInvisible: true,
    filter: 'partial',
    order: true,
  }),
  code: text({ default: '', max: 20, stripInvisible: true, filter: 'partial' }),
  category: text({ default: '', max: 60, stripInvisible: true, filter: true, order: true }),
  duration: text({ default: '', max: 60 }),
  validityMonths: integer({
    min: 1,
    max: MAX_MONTHS,
    label: 'Valid for (months)',
    help: 'Empty if the training does not expire.',
  }),
} as const

/** Course of the reference data. A company copies it before it uses it. */
export const trainingCourseTemplate = resource({
  type: 'TrainingCourseTemplate',
  service: 'employees',
  path: 'training_course_templates',
  table: 'training_course_template',
  tenant: 'shared',
  title: 'name',
  order: ['category', 'name'],
  unpaginated: true,
  pack: 'safety',
  fields: { ...courseFields, retired: flag({ filter: true }) },
  allow: { read: SESSION_READER_ROLES },
})

/** Duty to train, by law, with the courses that usually fulfil it. */
export const trainingDuty = resource({
  type: 'TrainingDuty',
  service: 'employees',
  path: 'training_duties',
  table: 'training_duty',
  tenant: 'shared',
  title: 'name',
  order: ['id'],
  unpaginated: true,
  pack: 'safety',
  fields: {
    name: text({ required: true, max: 300, label: 'Duty' }),
    people: text({ default: '', max: 200, label: 'For' }),
    reference: text({ default: '', max: 300, label: 'Law or guidance' }),
    refreshMonths: integer({ min: 1, max: MAX_MONTHS, label: 'Repeat after (months)' }),
    courses: text({ default: '', max: 200, label: 'Usual courses' }),
    confidence: choice(['high', 'medium', 'low'], { required: true }),
    notes: text({ default: '', max: 500 }),
    retired: flag({ filter: true }),
  },
  allow: { read: TRAINING_READER_ROLES },
})

/** Course of a company: its own, or copied from a template. Later editions of the template leave the copy as it is. */
export const trainingCourse = resource({
  type: 'TrainingCourse',
  service: 'employees',
  path: 'training_courses',
  table: 'training_course',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  pack: 'safety',
  fields: {
    ...courseFields,
    retakeMonth: choice(RETAKE_MONTHS, {
      label: 'Retake each year by (month)',
      help: 'Instead of months: everybody retakes it by the same day of each year.',
    }),
    retakeDay: integer({ min: 1, max: 31, label: 'Day of that month', help: 'Empty for the last day of the month.' }),
    retakeGraceDays: integer({
      default: 0,
      min: 0,
      max: MAX_RETAKE_GRACE_DAYS,
      label: 'Days before it that count for the coming year',
    }),
    cost: integer({ min: 0, pence: true, label: 'Cost per person' }),
    /** Presented talks with this title count as this course. */
    talkTitle: text({
      default: '',
      max: 255,
      label: 'Toolbox talk that counts as this course',
      help: 'Enter the title of the talk. Its closed records add a training record for each employee who signed.',
    }),
    template: link(() => trainingCourseTemplate, { filter: true, hideUnreadable: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: TRAINING_READER_ROLES, create: TRAINING_ROLES, update: TRAINING_ROLES },
})

export const REQUIREMENT_SCOPES = [
  { value: 'everybody', label: 'Everybody' },
  { value: 'jobTitle', label: 'Job title' },
  { value: 'department', label: 'Department' },
  { value: 'site', label: 'Site' },
  { value: 'person', label: 'Person' },
] as const

/** Need for a course, from a day on. After it is saved, only its end may change, so that past days stay as they were. */
export const trainingRequirement = resource({
  type: 'TrainingRequirement',
  service: 'employees',
  path: 'training_requirements',
  table: 'training_requirement',
  tenant: 'own',
  order: ['-id'],
  pack: 'safety',
  fields: {
    course: link(() => trainingCourse, {
      required: 'Please choose a course',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
    }),
    scope: choice(REQUIREMENT_SCOPES, { required: 'Please choose who needs it', filter: true, label: 'Needed by' }),
    jobtitlename: text({ default: '', max: 100, stripInvisible: true, label: 'Job title' }),
    department: link(() => department, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    site: link(() => incidentSite, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    employee: link(() => employee, { embed: ['name'], filter: true, offers: IN_SERVICE, label: 'Person' }),
    startsOn: date({ required: 'Please enter the first day', order: true, label: 'From' }),
    endsOn: date({ filter: true, label: 'Last day' }),
    graceDays: integer({
      default: 0,
      min: 0,
      max: MAX_GRACE_DAYS,
      label: 'Days of grace',
      help: 'Days that people have from the first day, or from the day on which they start in this role.',
    }),
    reason: choice(
      [
        { value: 'duty', label: 'Duty by law' },
        { value: 'contract', label: 'Contract' },
        { value: 'riskAssessment', label: 'Risk assessment' },
      ],
      { required: 'Please choose a reason', filter: true },
    ),
    duty: link(() => trainingDuty, { embed: ['name', 'reference'], filter: true }),
    reference: text({
      default: '',
      max: 200,
      label: 'Reference',
      help: 'For example the number of the contract or risk assessment.',
    }),
    ended: flag({ readonly: true, filter: true, sql: 'coalesce(t.ends_on < london_today(), false)' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Added by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Added' }),
  },
  allow: { read: TRAINING_ROLES, create: TRAINING_ROLES, update: TRAINING_ROLES },
})
