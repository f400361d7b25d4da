import { choice, date, flag, instant, integer, link, longText, text, typedJson } from '#kernel/fields.ts'
import { type RecordOf, type Resource, resource } from '#kernel/resource.ts'
import type { SignatureValue } from '#kernel/signature.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { customForm, customFormAnswer } from '#modules/safety/custom-forms/custom-form.ts'
import { EQUIPMENT_READER_ROLES, EQUIPMENT_ROLES } from '../rights.ts'
import { equipmentCategory } from './category.ts'
import { equipmentFile, equipmentItem } from './item.ts'

const ofItem = link(() => equipmentItem, {
  required: 'Please choose the item',
  embed: ['number', 'name'],
  filter: true,
})

/** Returns the SQL of a column of `equipment_checks_due` for a required check. */
const dueColumn = (column: string) =>
  `(SELECT d.${column} FROM equipment_checks_due(t.client_id, t.item_id) d WHERE d.required_check_id = t.id)`

/** Check that an item needs again and again. Its category states the longest interval that the law allows. */
export const requiredCheck = resource({
  type: 'RequiredCheck',
  service: 'safety',
  path: 'required_checks',
  table: 'required_check',
  tenant: 'own',
  title: 'name',
  order: ['id'],
  pack: 'safety',
  fields: {
    item: ofItem,
    category: link(() => equipmentCategory, {
      embed: ['name', 'basis', 'reference', 'intervalMonths', 'intervalDays'],
      filter: true,
      offers: IN_SERVICE,
      help: 'Its usual check, with the law or guidance. Empty for a check of your own.',
    }),
    name: text({ default: '', notNull: true, max: 200, stripInvisible: true, label: 'Check' }),
    every: integer({ required: 'Please enter the interval', min: 1, max: 100_000, label: 'Every' }),
    unit: choice(
      [
        { value: 'days', label: 'Days' },
        { value: 'months', label: 'Months' },
        { value: 'hours', label: 'Hours of use' },
      ],
      { default: 'months', notNull: true, label: 'Unit' },
    ),
    counted: choice(
      [
        { value: 'last check', label: 'From the last check' },
        { value: 'calendar', label: 'On a fixed calendar' },
      ],
      { default: 'last check', notNull: true, label: 'Counted' },
    ),
    startsOn: date({ required: 'Please enter the day on which the first check is due', label: 'First due on' }),
    scheme: link(() => equipmentFile, {
      embed: ['name', 'url'],
      filter: true,
      label: 'Examination scheme',
      help: 'Scheme of a competent person. It is needed for an interval longer than the law allows.',
    }),
    form: link(() => customForm, {
      filter: true,
      hideUnreadable: true,
      label: 'Form to complete',
      offers: { live: 'true', retired: 'false' },
    }),
    lastOn: date({ readonly: true, sql: dueColumn('last_on'), label: 'Last passed' }),
    nextOn: date({ readonly: true, sql: dueColumn('next_on'), label: 'Next due' }),
    nextHours: integer({ readonly: true, sql: dueColumn('next_hours'), label: 'Next due at (hours)' }),
    state: text({ readonly: true, sql: dueColumn('state') }),
    retired: flag({ filter: true, label: 'Ended' }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EQUIPMENT_READER_ROLES, create: EQUIPMENT_ROLES, update: EQUIPMENT_ROLES },
})

export type RequiredCheck = RecordOf<typeof requiredCheck>

export const CHECK_RESULTS = [
  { value: 'passed', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
  { value: 'void', label: 'Recorded in error' },
] as const

const fieldOfReport = { default: '', max: 500, stripInvisible: true } as const

/**
 * Check that took place: the company's own, or an external examination with its report. It never changes: a correction is
 * a further check that replaces it. Without a required check, it is a reported defect or the check after its repair.
 */
export const equipmentCheck = resource({
  type: 'EquipmentCheck',
  service: 'safety',
  path: 'equipment_checks',
  table: 'equipment_check',
  tenant: 'own',
  order: ['-checkedOn', '-id'],
  appendOnly: true,
  pack: 'safety',
  fields: {
    item: ofItem,
    requiredCheck: link(() => requiredCheck, {
      embed: ['name'],
      filter: true,
      label: 'Check',
      help: 'Empty for a defect between two checks, and for the check after its repair.',
    }),
    checkedOn: date({ required: 'Please enter the day', filter: true, order: true, label: 'Date' }),
    result: choice(CHECK_RESULTS, { required: 'Please choose a result', filter: true }),
    defects: longText({ default: '', max: 4000, label: 'Defects' }),
    immediateDanger: flag({
      filter: true,
      label: 'A defect is an immediate danger, or may soon become one',
      help: 'The person who examined the item then sends a copy of the report to the enforcing authority (LOLER 1998 reg 10).',
    }),
    hours: integer({ min: 0, max: 1_000_000, label: 'Hours of use' }),
    source: choice(
      [
        { value: 'own', label: 'Our own check' },
        { value: 'report', label: 'Report of an external examiner' },
      ],
      { default: 'own', notNull: true, filter: true, label: 'Kind' },
    ),
    answer: link(() => customFormAnswer, { filter: true, hideUnreadable: true, label: 'Completed form' }),
    report: link(() => equipmentFile, { embed: ['name', 'url'], filter: true, label: 'Report' }),
    examiner: text({ ...fieldOfReport, label: 'Examined by' }),
    examinerAddress: text({ ...fieldOfReport, label: 'Address of the examiner' }),
    qualification: text({ ...fieldOfReport, label: 'Qualification of the examiner' }),
    authenticator: text({ ...fieldOfReport, label: 'Report signed by' }),
    reportedOn: date({ label: 'Date of the report' }),
    employer: text({ ...fieldOfReport, label: 'Examined for (employer and address)' }),
    premises: text({ ...fieldOfReport, label: 'Place of the examination' }),
    examination: choice(
      [
        { value: '6 months', label: 'Within 6 months' },
        { value: '12 months', label: 'Within 12 months' },
        { value: 'scheme', label: 'By an examination scheme' },
        { value: 'exceptional', label: 'After exceptional circumstances' },
        { value: 'installation', label: 'First use, or after installation' },
      ],
      { label: 'Reason for the examination' },
    ),
    installedCorrectly: choice(
      [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
        { value: 'not applicable', label: 'Not applicable' },
      ],
      { label: 'Installed correctly' },
    ),
    repairs: longText({ default: '', max: 2000, label: 'Repairs needed' }),
    repairBy: date({ label: 'Repair by' }),
    nextBy: date({ label: 'Next examination by' }),
    tests: longText({ default: '', max: 2000, label: 'Tests carried out' }),
    replaces: link((): Resource => equipmentCheck, { filter: true, label: 'Corrects the check' }),
    reason: longText({ default: '', max: 1000, label: 'Reason for the correction' }),
    replaced: flag({
      readonly: true,
      sql: 'EXISTS (SELECT FROM equipment_check n WHERE n.client_id = t.client_id AND n.replaces_id = t.id)',
      label: 'Corrected',
    }),
    /** Day until which the law requires the record; null if it has another end. */
    keepUntil: date({
      readonly: true,
      sql: `(SELECT (t.checked_on + make_interval(years => g.keep_years))::date
        FROM required_check r JOIN equipment_category g ON g.id = r.category_id
        WHERE r.client_id = t.client_id AND r.id = t.required_check_id)`,
      label: 'Stored at least until',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Recorded' }),
  },
  allow: { read: EQUIPMENT_READER_ROLES, create: EQUIPMENT_READER_ROLES },
})

export type EquipmentCheck = RecordOf<typeof equipmentCheck>

/** Hand-over of an item to a person, a site or both, signed by the person who receives it. */
export const equipmentHandover = resource({
  type: 'EquipmentHandover',
  service: 'safety',
  path: 'equipment_handovers',
  table: 'equipment_handover',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  pack: 'safety',
  fields: {
    item: ofItem,
    fromHolder: link(() => employee, { readonly: true, embed: ['name'] }),
    fromSite: link(() => incidentSite, { readonly: true, embed: ['name'] }),
    holder: link(() => employee, { embed: ['name'], filter: true, offers: IN_SERVICE, label: 'To the person' }),
    site: link(() => incidentSite, { embed: ['name'], filter: true, offers: IN_SERVICE, label: 'To the site' }),
    signedName: text({ readonly: true, notNull: true, label: 'Signed by' }),
    signature: typedJson<SignatureValue>()({ required: 'Please sign', omitFromLists: true, max: 20_000 }),
    notes: longText({ default: '', max: 1000 }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Handed over by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Time' }),
  },
  allow: { read: EQUIPMENT_READER_ROLES, create: EQUIPMENT_ROLES },
})

export const FILES_URL = `${equipmentItem.url}/{id}/files`
/** Address that receives a check together with its completed form. */
export const FORM_CHECK_URL = `${equipmentCheck.url}/with_form`
