import { type Field, flag, integer, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'

// Lists of options for recording an incident. Their IDs are those of `db/reference/incident-lookups.json`, since the
// specification names some of them (`/api/incident_types/7`, `/api/incident_jobclasses/6`). A row that is in use is
// retired and never changed.

/** Mark for a composed row in choices, records and PDFs. */
export const COMPOSED_MARK = ' (our wording)'

/** Returns the name of a row, marked if we composed it. */
export const formatMarkedName = ({ name, description, composed: isComposed }: MarkedRow): string =>
  `${name ?? description ?? ''}${isComposed ? COMPOSED_MARK : ''}`

interface MarkedRow {
  readonly name?: string | null
  readonly description?: string | null
  readonly composed?: boolean | null
}

/** Fields of every list. `composed` marks our own wording, which a competent person has yet to confirm. */
const description = text({ notNull: true, order: true, filter: 'partial' })
const composed = flag({ filter: true, label: 'Our own wording' })
/** Text of an option in a form, with the mark of a composed row. */
const label = text({
  readonly: true,
  notNull: true,
  sql: `t.description || CASE WHEN t.composed THEN '${COMPOSED_MARK}' ELSE '' END`,
  filter: 'partial',
  label: 'Choice',
})
const retired = flag({ filter: true })
/** True if the row is on form F2508. */
const riddor = flag({ filter: true, label: 'On form F2508' })

const lookup = <const F extends Readonly<Record<string, Field>>>(
  type: string,
  path: string,
  table: string,
  fields: F,
) =>
  resource({
    type,
    service: 'safety',
    path,
    table,
    tenant: 'shared',
    unpaginated: true,
    title: 'description',
    order: ['id'],
    fields: { description, ...fields, composed, label, retired },
    allow: { read: 'member' },
  })

/** Class of a person by their work; classes 1 to 5 are at work, 6 is a member of the public. */
const jobClass = lookup('IncidentJobClass', 'incident_jobclasses', 'incident_job_class', {
  riddor,
  atWork: flag({ filter: true, label: 'At work' }),
  payrollRequired: flag({ label: 'Payroll number required' }),
  jobTitleRequired: flag({ label: 'Job title required' }),
})

/** Kind of accident as on form F2508. Kind 7, a fall from a height, needs the height. */
const incidentType = lookup('IncidentType', 'incident_types', 'incident_type', {
  riddor,
  requiresFallHeight: flag({ label: 'Height of fall required' }),
})

const mainFactor = lookup('IncidentMainFactor', 'incident_mainfactors', 'incident_main_factor', { riddor })
const workProcess = lookup('IncidentWorkProcess', 'incident_work_processes', 'incident_work_process', { riddor })
const mainIndustry = lookup('IncidentMainIndustry', 'incident_main_industries', 'incident_main_industry', {
  riddor,
})

/** Category of an incident in the accident book, such as near miss or lost time injury. */
const incidentCategory = lookup('IncidentCategory', 'incident_categories', 'incident_category', {
  requiresFallHeight: flag({ label: 'Height of fall required' }),
})

export type BodyPartRule = 'all' | 'none' | 'allow' | 'deny'

/** Body parts that an injury may affect, for each severity with a key, by their HSE codes. */
export interface RiddorRules {
  readonly fatalRule: BodyPartRule
  readonly fatalBodyParts: readonly number[]
  readonly majorRule: BodyPartRule
  readonly majorBodyParts: readonly number[]
  readonly sevenDayRule: BodyPartRule
  readonly sevenDayBodyParts: readonly number[]
  readonly mopRule: BodyPartRule
  readonly mopBodyParts: readonly number[]
}

const injurySustained = lookup('IncidentInjurySustained', 'incident_injury_sustaineds', 'incident_injury', {
  riddorRules: typedJson<RiddorRules>()({ notNull: true }),
  basis: text({ notNull: true, default: '', label: 'Basis of the rules' }),
})

/** Severity of an injury. `severity` is the key of the body part rules; empty for severities without rules. */
const severity = lookup('IncidentSeverity', 'incident_severities', 'incident_severity', {
  severity: text({ notNull: true, default: '', filter: true }),
  riddor: flag({ filter: true, label: 'Reportable' }),
})

/** Part of the body. `hseCode` is 0 for “not applicable”, which no form offers. */
const bodyPart = lookup('IncidentBodyPart', 'incident_bodyparts', 'incident_body_part', {
  hseCode: integer({ notNull: true, filter: true, order: true, label: 'HSE code' }),
  region: text({ notNull: true, default: '', filter: true }),
})

/** Effect of an injury. An exclusive effect excludes the others. */
const injuryEffect = lookup('IncidentInjuryEffect', 'incident_injuryeffects', 'incident_injury_effect', {
  exclusive: flag(),
})

/** Dangerous occurrence in Schedule 2 to RIDDOR 2013. */
const dangerousOccurrence = lookup('DangerousOccurrence', 'dangerous_occurances', 'dangerous_occurrence', {
  name: text({ notNull: true, filter: 'partial', order: true }),
  part: integer({ notNull: true, filter: true, label: 'Part of Schedule 2' }),
  scope: text({ notNull: true, default: '' }),
  paragraph: text({ notNull: true, default: '' }),
  confidence: text({ notNull: true, default: '', label: 'Confidence in the paragraph' }),
})

/** Kind of place where an incident happened, with the code that the specification names. */
const addressType = lookup('IncidentAddressType', 'address_types', 'incident_address_type', {
  code: text({ notNull: true, filter: true }),
})

/** Status of a corrective action in the accident book. */
const rectificationStatus = lookup('RectificationStatus', 'rectification_statuses', 'rectification_status', {
  disablesDeadline: flag({ label: 'Needs no deadline' }),
})

/** All lists, with the key of their rows in `db/reference/incident-lookups.json`. */
export const lookups = {
  jobClasses: jobClass,
  kinds: incidentType,
  mainFactors: mainFactor,
  workProcesses: workProcess,
  mainIndustries: mainIndustry,
  categories: incidentCategory,
  injuries: injurySustained,
  severities: severity,
  bodyParts: bodyPart,
  injuryEffects: injuryEffect,
  dangerousOccurrences: dangerousOccurrence,
  rectificationStatuses: rectificationStatus,
  addressTypes: addressType,
} as const satisfies Record<string, Resource>
