import { choice, date, instant, link, longText, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { incidentFacts } from '../incident-facts.ts'
import type { Screening } from '../riddor/screening.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE } from '../rights.ts'

const ofReport = { unless: [], only: only.ofReadable('report') } as const

export const RIDDOR_DECISIONS = [
  { value: 'reportable', label: 'Reportable' },
  { value: 'not reportable', label: 'Not reportable' },
] as const

/** A person's decision on whether an incident is reportable, with the proposal that was on their screen. */
export const riddorDecision = resource({
  type: 'RiddorDecision',
  service: 'safety',
  path: 'riddor_decisions',
  table: 'riddor_decision',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    decision: choice(RIDDOR_DECISIONS, { readonly: true, notNull: true, filter: true }),
    /** Last day for the report; null if the organisation need not report. */
    reportBy: date({ readonly: true, label: 'Report by' }),
    reason: longText({ readonly: true, default: '', notNull: true, confidential: INCIDENT_READER_ROLE }),
    /** Screening as it was when the person decided. */
    proposal: typedJson<Screening & { readonly injuries?: string }>()({
      readonly: true,
      notNull: true,
      confidential: INCIDENT_READER_ROLE,
    }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})

/** Report of an incident to HSE or HSENI, or a correction of its reference or its date. */
export const hseReport = resource({
  type: 'HseReport',
  service: 'safety',
  path: 'hse_reports',
  table: 'hse_report',
  appendOnly: true,
  tenant: 'own',
  order: ['id'],
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    reference: text({ readonly: true, notNull: true, label: 'HSE reference' }),
    sentOn: date({ readonly: true, notNull: true, label: 'Sent on' }),
    /** Last day for the report when this was recorded. */
    reportBy: date({ readonly: true, label: 'Report by' }),
    /** Reason for a correction; empty for a first report. */
    reason: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: INCIDENT_BOOK_ROLES, rows: [ofReport] },
  pack: 'safety',
})
