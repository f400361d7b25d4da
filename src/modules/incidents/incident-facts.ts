import {
  choice,
  date,
  decimal,
  flag,
  instant,
  integer,
  link,
  longText,
  strings,
  text,
  typedJson,
} from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { incidentSite, placeFields } from '#modules/people/sites/incident-site.ts'
import { localAuthority } from '#modules/safety/places/local-authority.ts'
import { HARM_LEVELS } from './harm-levels.ts'
import { lookups } from './lookups/lookup.ts'
import { HARM_ANSWERS } from './phone/harm-answers.ts'
import type { Answer } from './riddor/facts.ts'
import { type IncidentQuestion, REPORTABLE_DISEASES, type ReportableDisease } from './riddor/facts.ts'
import { INCIDENT_ACCESS_RULES, INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE, INCIDENT_REPORTER_ROLES } from './rights.ts'
import { incidentDepartment } from './settings/incident-department.ts'

export const incidentNumberSequence = defineSequence({
  name: 'incident',
  prefix: 'INC-',
  per: 'client and year',
  gapless: true,
  digits: 4,
})

const INCIDENT_STATES = [
  { value: 'draft', label: 'Draft' },
  { value: 'reported', label: 'Reported' },
  { value: 'investigating', label: 'Under investigation' },
  { value: 'riddor', label: 'Waiting for RIDDOR' },
  { value: 'closed', label: 'Closed' },
] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]['value']

/** States of a reported incident that is not closed. */
export const OPEN_INCIDENT_STATES = ['reported', 'investigating', 'riddor'] as const

/** Likelihood that an incident happens again (HSG245). */
export const RECURRENCES = [
  { value: 'rare', label: 'Rare: so unlikely that it is not expected again' },
  { value: 'unlikely', label: 'Unlikely: not expected again in the foreseeable future' },
  { value: 'possible', label: 'Possible: may happen from time to time' },
  { value: 'likely', label: 'Likely: will happen again, but not every day' },
  { value: 'certain', label: 'Certain: will happen again, and soon' },
] as const

/** Levels of investigation (HSG245, step 1). */
export const INVESTIGATION_LEVELS = [
  { value: 'minimal', label: 'Minimal: the supervisor looks into the circumstances' },
  { value: 'low', label: 'Low: a short investigation by the supervisor or line manager' },
  { value: 'medium', label: 'Medium: a more detailed investigation by the supervisor and a safety adviser' },
  { value: 'high', label: 'High: a team-based investigation under senior management' },
] as const

const ADDRESS_TYPES = [
  { value: '001', label: 'Registered address' },
  { value: '002', label: 'Other address in your organisation' },
  { value: '003', label: 'Someone else’s premises' },
  { value: '004', label: 'Public place' },
  { value: '005', label: 'Customer address' },
] as const

const placeOfIncident = {
  site: link(() => incidentSite, { embed: ['name'], embedAsClosed: { name: 'siteName' }, filter: true }),
  /** Name of the site when the incident was closed; empty while it is open. */
  siteName: text({ readonly: true, default: '', notNull: true, visible: 'nobody' }),
  addressType: choice(ADDRESS_TYPES, { filter: true, label: 'Type of address' }),
  ...placeFields,
  /** Nation whose law applies. Set by the local authority; null while unknown. */
  nation: choice(
    [
      { value: 'greatBritain', label: 'Great Britain' },
      { value: 'northernIreland', label: 'Northern Ireland' },
      { value: 'elsewhere', label: 'Elsewhere' },
    ],
    { filter: true },
  ),
  localAuthority: link(() => localAuthority, { embed: ['name', 'country'], label: 'Local authority' }),
  /** Place within the site, such as `Bay 3`. */
  internalLocation: text({ default: '', max: 255, label: 'Where exactly' }),
  /** Position of the reporter’s device, read only if they asked for it. */
  latitude: decimal({ min: -90, max: 90 }),
  longitude: decimal({ min: -180, max: 180 }),
} as const

/** Fields of the place, in the order in which they are shown. */
export const PLACE_FIELDS = [
  'site',
  'internalLocation',
  'addressType',
  'addressLine1',
  'addressLine2',
  'city',
  'county',
  'postcode',
  'noPostcode',
  'localAuthority',
  'nation',
] as const

const investigation = {
  immediateCauses: longText({ default: '', label: 'Immediate causes' }),
  underlyingCauses: longText({ default: '', label: 'Underlying causes' }),
  rootCauses: longText({ default: '', label: 'Root causes' }),
  prevention: longText({ default: '', label: 'What would have prevented it' }),
  actualSeverity: choice(HARM_LEVELS, { filter: true, label: 'Actual severity' }),
  potentialSeverity: choice(HARM_LEVELS, { filter: true, label: 'Potential severity' }),
  recurrence: choice(RECURRENCES, { label: 'Likelihood that it happens again' }),
  investigationLevel: choice(INVESTIGATION_LEVELS, { label: 'Depth of the investigation' }),
} as const

/** Fields of the investigation with a chosen value, in the order in which they are shown. */
export const INVESTIGATION_CHOICES = [
  'actualSeverity',
  'potentialSeverity',
  'recurrence',
  'investigationLevel',
] as const

/** Fields of the investigation with text, in the order in which they are shown. */
export const CAUSE_FIELDS = ['immediateCauses', 'underlyingCauses', 'rootCauses', 'prevention'] as const

const diseases = Object.entries(REPORTABLE_DISEASES).map(([value, { name }]) => ({
  value: value as ReportableDisease,
  label: name,
}))

/** A disease is a health detail, even if the incident names no person. Its reporter sees it until another user changes it. */
const confidential = {
  confidential: INCIDENT_READER_ROLE,
  owner: 'diseaseBy',
  editable: INCIDENT_REPORTER_ROLES,
} as const

/** Facts for the screening under RIDDOR. Null: unknown. */
const riddorFacts = {
  answers: typedJson<Readonly<Partial<Record<IncidentQuestion, Answer>>>>()({
    default: {},
    label: 'Answers of the screening',
  }),
  disease: choice(diseases, confidential),
  diagnosedOn: date({ label: 'Diagnosis received on', ...confidential }),
  gasLearnedOn: date({ label: 'Gas incident learned of on' }),
} as const

/** Outcome of the screening and its clock, which the portal calculates from the facts. */
const riddorClock = {
  riddorOutcome: choice(
    [
      { value: 'open', label: 'Questions open' },
      { value: 'reportable', label: 'Reportable' },
      { value: 'notReportable', label: 'Not reportable' },
      { value: 'otherLaw', label: 'Other law applies' },
    ],
    { readonly: true, filter: true, label: 'Screening proposes' },
  ),
  /** Decision of a person, which does not replace the proposal. Null: not decided, or facts have changed since. */
  riddorDecision: choice(
    [
      { value: 'reportable', label: 'Reportable' },
      { value: 'not reportable', label: 'Not reportable' },
    ],
    { readonly: true, filter: true, label: 'RIDDOR decision' },
  ),
  clockStartedOn: date({ readonly: true, label: 'Clock started on' }),
  /** Last day for the written report; null if no clock is running. */
  reportBy: date({ readonly: true, filter: true, order: true, label: 'Report by' }),
  hseReference: text({ readonly: true, default: '', notNull: true, filter: true, label: 'HSE reference' }),
  hseSentOn: date({ readonly: true, label: 'Report sent to HSE on' }),
} as const

const facts = {
  number: text({ readonly: true, default: '', notNull: true, filter: true, search: true, order: true }),
  /** ID created on the reporter’s device, by which a report that arrives twice is recognised. */
  deviceKey: text({ default: '', max: 64, visible: 'nobody' }),
  /** Further answers that the reporter’s form required; null for an entry that was not written with that form. */
  formRequired: strings({ visible: 'nobody' }),
  /** Answers that the company requires but the report lacks, because its form did not require them. */
  missingAnswers: strings({ readonly: true, default: [], notNull: true, label: 'Sent without' }),
  nearMiss: flag({ filter: true, count: true, label: 'Near miss' }),
  description: longText({
    default: '',
    search: true,
    stripInvisible: true,
    label: 'What happened',
    help: 'The events in their order. Leave out names; they are entered under “People”.',
  }),
  /** Description as it was first reported. It is retained when the office corrects the description. */
  reportedText: longText({ readonly: true, default: '', notNull: true, label: 'As reported' }),
  datetime: instant({ column: 'happened_at', filter: true, order: true, label: 'Date and time' }),
  /** Answer in the first report, as worded there. It never changes; the office enters the actual severity. */
  reportedHarm: choice(HARM_ANSWERS, { filter: true, label: 'How bad, as reported' }),
  incidentType: link(() => lookups.categories, {
    embed: ['description', 'composed'],
    filter: true,
    label: 'Kind of incident',
  }),
  ...placeOfIncident,
  department: link(() => incidentDepartment, {
    embed: ['name'],
    embedAsClosed: { name: 'departmentName' },
    filter: true,
  }),
  /** Name of the department when the incident was closed; empty while it is open. */
  departmentName: text({ readonly: true, default: '', notNull: true, visible: 'nobody' }),
  supportDepartments: strings({ default: [], label: 'Support departments' }),
  reportedBy: text({ default: '', max: 200, stripInvisible: true, label: 'Reported by' }),
  /** E-mail address or telephone number of a reporter without an account. */
  reporterContact: text({ default: '', max: 255, visible: INCIDENT_BOOK_ROLES, label: 'Contact of the reporter' }),
  subActivity: text({ default: '', max: 255, label: 'Activity' }),
  workProcess: link(() => lookups.workProcesses, {
    embed: ['description', 'composed'],
    inputAlias: 'workProcessInvolved',
    label: 'Work process',
  }),
  mainIndustry: link(() => lookups.mainIndustries, { embed: ['description', 'composed'], label: 'Main industry' }),
  /** IRIs of photos and documents, uploaded before the report. */
  files: strings({ default: [], label: 'Photos and documents' }),
  ...investigation,
  ...riddorFacts,
  ...riddorClock,
  state: choice(INCIDENT_STATES, {
    default: 'draft',
    notNull: true,
    notWhileImpersonating: true,
    filter: true,
    order: true,
    count: true,
    label: 'Status',
  }),
  /** True for a reported incident that is not closed. */
  open: flag({ readonly: true, filter: true, sql: "t.state IN ('reported', 'investigating', 'riddor')" }),
  /** Number of injured parties and witnesses. */
  peopleCount: integer({
    readonly: true,
    notNull: true,
    sql: '(SELECT count(*)::int FROM incident_person p WHERE p.client_id = t.client_id AND p.report_id = t.id AND NOT p.retired)',
    label: 'People',
  }),
  retired: flag({ filter: true }),
  retireReason: text({ default: '', max: 1000, stripInvisible: true, label: 'Reason for deletion' }),
  author: text({ readonly: true, stamp: 'author', filter: true, label: 'Entered by' }),
  reporter: integer({ readonly: true, column: 'reporter_id', visible: 'nobody' }),
  /** The reporter, while the disease and its diagnosis are as they entered them; null once another user has changed them. */
  diseaseBy: integer({ readonly: true, column: 'disease_by_id', visible: 'nobody' }),
  /** True if the report was sent with a site's QR code, without an account. */
  byLink: flag({ readonly: true, filter: true, label: 'Reported by QR code' }),
  createdAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
  reportedAt: instant({ readonly: true, order: true, filter: true, label: 'Reported' }),
  closedAt: instant({ readonly: true, label: 'Closed' }),
  updatedAt: instant({ readonly: true, stamp: 'updated' }),
} as const

/** Incident without its rows, for the records that belong to it. */
export const incidentFacts = resource({
  type: 'IncidentReport',
  service: 'safety',
  path: 'incident_reports',
  table: 'incident_report',
  tenant: 'own',
  title: 'number',
  order: ['-id'],
  state: 'state',
  fields: facts,
  allow: {
    read: INCIDENT_REPORTER_ROLES,
    create: INCIDENT_REPORTER_ROLES,
    update: INCIDENT_REPORTER_ROLES,
    whileImpersonating: ['create', 'update'],
    rows: INCIDENT_ACCESS_RULES,
  },
  pack: 'safety',
})
