import { defineEvidence, type EvidenceSpec, type StoredColumnValues } from '#kernel/evidence.ts'
import { confidentialColumnsOf } from '#kernel/resource.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentReport } from './incident-report.ts'
import { riddorDecision } from './riddor-decision.ts'

/**
 * Columns of a report that are not sealed: details of its sending, times of the last save, the calculated clock, and
 * the reporter's access.
 */
const UNSEALED = new Set([
  'deviceKey',
  'formRequired',
  'updatedAt',
  'riddorOutcome',
  'clockStartedOn',
  'reportBy',
  'diseaseBy',
])

const COLUMNS = Object.entries(incidentReport.columns).flatMap(([name, column]) =>
  UNSEALED.has(name) || name === 'id' ? [] : [column],
)
const ROWS = ['incident_person', 'incident_risk_link', 'incident_occurrence', 'incident_file']
const WHOLE = { columns: COLUMNS, rows: ROWS } as const

const personNamed = ({ id, record_type }: StoredColumnValues): string =>
  `${record_type === 'WT' ? 'the witness' : 'the injured party'} ${String(id)}`

/**
 * Evidence of incidents: each change from the report onwards is sealed with the people, risk links and dangerous
 * occurrences. The chain stores only fingerprints of confidential values.
 */
export const incidentEvidence: EvidenceSpec = defineEvidence({
  of: incidentReport,
  named: ({ number }) => `Incident ${String(number)}`,
  claims: "t.state <> 'draft'",
  rows: [
    {
      table: 'incident_person',
      by: 'report_id',
      named: personNamed,
      digested: confidentialColumnsOf(incidentPerson),
      without: ['details_by_id'],
      later: { statement_received_at: null, statement_addition: null },
    },
    { table: 'incident_risk_link', by: 'report_id', named: ({ id }) => `the risk link ${String(id)}` },
    { table: 'incident_occurrence', by: 'report_id', named: ({ id }) => `the dangerous occurrence ${String(id)}` },
    {
      table: 'incident_file',
      by: 'report_id',
      named: ({ name }) => `the file "${String(name)}"`,
      file: { key: 'file_key', checksum: 'checksum' },
    },
    { table: 'incident_amendment', by: 'report_id', named: ({ id }) => `the amendment ${String(id)}` },
    {
      table: 'riddor_decision',
      by: 'report_id',
      named: ({ id }) => `the RIDDOR decision ${String(id)}`,
      digested: confidentialColumnsOf(riddorDecision),
    },
    { table: 'hse_report', by: 'report_id', named: ({ reference }) => `the report to HSE ${String(reference)}` },
    {
      table: 'incident_print',
      by: 'report_id',
      named: ({ id }) => `the stored PDF ${String(id)}`,
      file: { key: 'file_key', checksum: 'checksum' },
    },
  ],
  events: {
    reported: WHOLE,
    changed: WHOLE,
    'investigation started': WHOLE,
    closed: WHOLE,
    reopened: WHOLE,
    retired: WHOLE,
    restored: WHOLE,
    amended: { adds: 'incident_amendment' },
    screened: WHOLE,
    'statement received': WHOLE,
    'RIDDOR decided': { ...WHOLE, adds: 'riddor_decision' },
    'reported to HSE': { ...WHOLE, adds: 'hse_report' },
    printed: { adds: 'incident_print' },
    adopted: WHOLE,
  },
  later: { missing_answers: [], site_name: '', department_name: '' },
  columns: { happened_at: 'date and time', near_miss: '“near miss” mark', retired: '“deleted” mark' },
})
