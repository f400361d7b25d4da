import { choice, date, flag, instant, link, longText, rows, text } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { raiseActionSpec } from '#modules/actions/corrective-action.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { incidentFacts, OPEN_INCIDENT_STATES } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import { RIDDOR_DECISIONS } from './riddor-decision.ts'

const ofReport = { unless: [], only: only.ofReadable('report') } as const

/** Risk assessment that concerns an incident, or other text if there is none. */
export const incidentRiskLink = resource({
  type: 'IncidentRiskLink',
  service: 'safety',
  path: 'incident_risk_links',
  table: 'incident_risk_link',
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { required: true, filter: true }),
    riskAssessment: link(() => riskAssessment.resource, {
      hideUnreadable: true,
      label: 'Risk assessment',
    }),
    /** Number and description of the assessment when it was linked. Employees may be unable to read the assessment. */
    riskAssessmentDocumentNumber: text({
      default: '',
      visible: INCIDENT_BOOK_ROLES,
      editable: 'nobody',
      label: 'Document number',
    }),
    description: text({ default: '', visible: INCIDENT_BOOK_ROLES, editable: 'nobody' }),
    other: text({ default: '', max: 500 }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})

/** Dangerous occurrence, listed in Schedule 2 to RIDDOR 2013, in an incident. Removing one retires it. */
export const incidentOccurrence = resource({
  type: 'IncidentDangerousOccurrence',
  service: 'safety',
  path: 'incident_dangerous_occurrences',
  table: 'incident_occurrence',
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { required: true, filter: true }),
    dangerousOccurrence: link(() => lookups.dangerousOccurrences, {
      required: 'Please choose a dangerous occurrence',
      embed: ['name', 'description', 'composed'],
      inputAlias: 'dangerousOccurance',
      label: 'Dangerous occurrence',
    }),
    hseNumber: text({ default: '', max: 20, label: 'HSE number' }),
    retired: flag({ filter: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})

/** Event in the history of an incident. */
export const incidentEvent = resource({
  type: 'IncidentEvent',
  service: 'safety',
  path: 'incident_events',
  table: 'incident_event',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    /** Event as displayed, for example "Reported". */
    event: text({ readonly: true, notNull: true }),
    notes: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})

/** Dated amendment to a closed incident. The original text does not change. */
export const incidentAmendment = resource({
  type: 'IncidentAmendment',
  service: 'safety',
  path: 'incident_amendments',
  table: 'incident_amendment',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    text: longText({ readonly: true, notNull: true }),
    reason: longText({ readonly: true, notNull: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})

/** Incident, accident or near miss: an entry of the accident book. It can be amended, but never revised. */
export const incidentReport = resource({
  ...incidentFacts,
  emails: 'id',
  fields: {
    ...incidentFacts.fields,
    personnel: rows(() => incidentPerson, { by: 'report', label: 'People' }),
    riskLinks: rows(() => incidentRiskLink, { by: 'report', label: 'Risk assessments' }),
    dangerousOccurrences: rows(() => incidentOccurrence, {
      by: 'report',
      label: 'Dangerous occurrences',
      inputAlias: 'dangerousOccurences',
    }),
  },
  actions: {
    investigate: {
      path: 'investigate',
      title: 'Start investigation',
      allow: INCIDENT_BOOK_ROLES,
      from: ['reported'],
      input: {},
    },
    close: {
      path: 'close',
      title: 'Close incident',
      allow: DOCUMENT_APPROVER_ROLES,
      from: OPEN_INCIDENT_STATES,
      input: { notes: longText({ max: 4000, label: 'Conclusion' }) },
    },
    reopen: {
      path: 'reopen',
      title: 'Reopen',
      allow: DOCUMENT_APPROVER_ROLES,
      from: ['closed'],
      input: { reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }) },
    },
    amend: {
      path: 'amend',
      title: 'Amend',
      allow: DOCUMENT_APPROVER_ROLES,
      from: ['closed'],
      input: {
        text: longText({
          required: 'Please enter the amendment',
          max: 10_000,
          label: 'Amendment',
          help: 'Leave out names and health details: all who may read the entry read this.',
        }),
        reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }),
      },
    },
    decideRiddor: {
      path: 'decide-riddor',
      title: 'Decide',
      allow: DOCUMENT_APPROVER_ROLES,
      from: OPEN_INCIDENT_STATES,
      input: {
        decision: choice(RIDDOR_DECISIONS, { required: 'Please decide', label: 'Decision' }),
        reason: longText({ max: 4000, stripInvisible: true, label: 'Reason' }),
        /** Last day for the report, if the proposal sets none. */
        reportBy: date({ label: 'Report by' }),
        /** Fingerprint of the proposal that the person read. */
        expected: text({ required: true, max: 64, label: 'Fingerprint of the proposal' }),
      },
    },
    recordHseReport: {
      path: 'record-hse-report',
      title: 'Record the report',
      allow: DOCUMENT_APPROVER_ROLES,
      from: [...OPEN_INCIDENT_STATES, 'closed'],
      input: {
        reference: text({ required: 'Please enter the reference', max: 50, stripInvisible: true, label: 'Reference' }),
        sentOn: date({ required: 'Please enter the day', label: 'Sent on' }),
        reason: longText({ max: 2000, stripInvisible: true, label: 'Reason of the correction' }),
      },
    },
    raiseAction: { ...raiseActionSpec, from: [...OPEN_INCIDENT_STATES, 'closed'] },
    requestReview: {
      path: 'request-review',
      title: 'Request a review of a linked risk assessment',
      allow: DOCUMENT_AUTHOR_ROLES,
      from: [...OPEN_INCIDENT_STATES, 'closed'],
      input: {
        riskAssessment: link(() => riskAssessment.resource, {
          required: 'Field required, select an option',
          label: 'Risk assessment',
        }),
      },
    },
  },
})

export type IncidentReport = RowOf<typeof incidentReport>
