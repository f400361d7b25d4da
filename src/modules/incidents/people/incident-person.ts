import {
  choice,
  date,
  decimal,
  flag,
  instant,
  integer,
  link,
  longText,
  phone,
  text,
  typedJson,
} from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { incidentFacts } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import type { AbsencePeriod, Answer, PersonQuestion } from '../riddor/facts.ts'
import { INCIDENT_READER_ROLE, INCIDENT_REPORTER_ROLES } from '../rights.ts'
import { MAX_STATEMENT_CHARACTERS } from './statement-rules.ts'

/**
 * Health and personal details: for readers of health details, the injured person, and the person who reported the
 * incident until another user enters details. Reporters may enter them.
 */
const confidential = {
  confidential: INCIDENT_READER_ROLE,
  owner: ['detailsBy', 'user'],
  editable: INCIDENT_REPORTER_ROLES,
} as const

/** Name of a person, which the person who reported the incident always sees. */
const confidentialName = { ...confidential, owner: ['reporter', 'user'] } as const

/** Facts that readers of health details enter later. The person who reported the incident doesn't see them. */
const laterFact = { ...confidential, owner: 'user' } as const

export const RECORD_TYPES = [
  { value: 'IP', label: 'Injured Party' },
  { value: 'WT', label: 'Witness' },
] as const

/** Person involved in an incident: injured party or witness (safety section 3). */
export const incidentPerson = resource({
  type: 'IncidentPersonnel',
  service: 'safety',
  path: 'incident_personnels',
  table: 'incident_person',
  tenant: 'own',
  order: ['position', 'id'],
  fields: {
    report: link(() => incidentFacts, { required: true, filter: true }),
    position: integer({ default: 0 }),
    recordType: choice(RECORD_TYPES, { default: 'IP', filter: true, label: 'Type' }),
    /** True for blank records, which the portal never stores (`?template=true`). */
    template: flag({ readonly: true, filter: true, sql: 'false' }),
    /** True if all injury details have been entered. Reports from a site often name a person only. */
    detailed: flag({ editable: 'nobody', filter: true, label: 'Details complete' }),
    hseNumber: text({ default: '', max: 20, label: 'RIDDOR identification number' }),
    jobClass: link(() => lookups.jobClasses, { embed: ['description', 'composed'], label: 'Job class' }),
    jobClassText: text({ default: '', max: 200, label: 'Employer or details of the job class' }),
    employee: link(() => employee, { hideUnreadable: true, label: 'Employee', ...confidential }),
    /** Account of the person, if they have one. */
    user: integer({ editable: 'nobody', visible: 'nobody', column: 'user_id' }),
    /** Account that reported the incident. */
    reporter: integer({ editable: 'nobody', column: 'reporter_id' }),
    /** The reporter, while all details are theirs; null once another user has entered details. */
    detailsBy: integer({ editable: 'nobody', column: 'details_by_id' }),
    name: text({ default: '', max: 200, stripInvisible: true, ...confidentialName }),
    payroll: text({ default: '', max: 50, label: 'Payroll number', ...confidential }),
    jobTitle: text({ default: '', max: 100, label: 'Job title', ...confidential }),
    commencedEmployment: date({ label: 'Employment start date', ...confidential }),
    dateOfBirth: date({ label: 'Date of birth', ...confidential }),
    age: integer({ min: 0, max: 130, ...confidential }),
    /** 1 male, 2 female; 0 if not stated. */
    sex: integer({ default: 0, min: 0, max: 2, label: 'Gender', ...confidential }),
    address1: text({ default: '', max: 200, label: 'Address line 1', ...confidential }),
    address2: text({ default: '', max: 200, label: 'Address line 2', ...confidential }),
    city: text({ default: '', max: 100, ...confidential }),
    county: text({ default: '', max: 100, ...confidential }),
    postcode: text({ default: '', max: 12, ...confidential }),
    telephone: phone({ default: '', ...confidential }),
    mobile: phone({ default: '', ...confidential }),
    incidentType: link(() => lookups.kinds, { embed: ['description', 'composed'], label: 'Kind of accident' }),
    /** Height of a fall, in metres. */
    fallHeight: decimal({ min: 0, max: 1000, label: 'Fall height (metres)' }),
    mainFactor: link(() => lookups.mainFactors, { embed: ['description', 'composed'], label: 'Main factor' }),
    injurySustained: link(() => lookups.injuries, {
      embed: ['description', 'composed'],
      label: 'Injury sustained',
      ...confidential,
    }),
    severity: link(() => lookups.severities, { embed: ['description', 'composed'], ...confidential }),
    /** True if the severity is one that RIDDOR makes reportable. Set with the severity. */
    riddor: flag({ label: 'Reportable severity', ...confidential, editable: 'nobody' }),
    /** IDs of the effects of the injury. */
    injuryEffect: typedJson<readonly number[]>()({ default: [], label: 'Effect of the injury', ...confidential }),
    bodyPart: link(() => lookups.bodyParts, {
      embed: ['description', 'composed'],
      label: 'Part of the body',
      ...confidential,
    }),
    description: text({ default: '', max: 255, label: 'Short description', ...confidential }),
    statement: longText({ default: '', max: MAX_STATEMENT_CHARACTERS, ...confidential }),
    /** Time at which the witness gave the statement by link; null for a statement that was entered. It stays unchanged. */
    statementReceivedAt: instant({ editable: 'nobody', label: 'Statement received by link' }),
    /** Addition by the company to a statement given by link. */
    statementAddition: longText({ max: MAX_STATEMENT_CHARACTERS, label: 'Addition to the statement', ...confidential }),
    /** Facts for the screening under RIDDOR; null while unknown. */
    harm: choice(
      [
        { value: 'none', label: 'Not hurt' },
        { value: 'injured', label: 'Injured' },
        { value: 'dead', label: 'Died' },
      ],
      { label: 'Harm', ...confidential },
    ),
    diedOn: date({ label: 'Date of death', ...laterFact }),
    /** Letters of regulation 4(1); null while unknown, empty if none applies. */
    specified: typedJson<readonly string[] | null>()({ label: 'Specified injuries', ...laterFact }),
    /** Periods of incapacity for routine work; null while unknown. */
    absences: typedJson<readonly AbsencePeriod[] | null>()({ label: 'Absences', ...laterFact }),
    answers: typedJson<Readonly<Partial<Record<PersonQuestion, Answer>>>>()({
      default: {},
      label: 'Answers of the screening',
      ...laterFact,
    }),
    retired: flag({ filter: true }),
  },
  allow: {
    read: INCIDENT_REPORTER_ROLES,
    rows: [{ unless: [], only: only.either(only.ofReadable('report'), only.mine('user')) }],
  },
  pack: 'safety',
})

export type IncidentPerson = RowOf<typeof incidentPerson>

/** Fields that the person who reported the incident sees until another user changes one of them. */
export const REPORTER_DETAILS = Object.entries(incidentPerson.fields).flatMap(([name, f]) =>
  'owner' in f && f.owner === confidential.owner ? [name as keyof IncidentPerson] : [],
)
