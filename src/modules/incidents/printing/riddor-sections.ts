import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { type hseReport, RIDDOR_DECISIONS, type riddorDecision } from '../reports/riddor-decision.ts'
import { countDaysLate, describeClock } from '../riddor/proposal.ts'
import type { Screening } from '../riddor/screening.ts'
import type { SheetField, SheetSection } from '../riddor/sheet.ts'
import { DUTY_NAMES, describeDuty, OUTCOMES } from '../riddor/words.ts'
import { formatInstant, formatPrintFields } from './print-values.ts'

type Decision = RecordOf<typeof riddorDecision>

/** Decisions under RIDDOR and reports to HSE, oldest first. */
export interface RiddorRecord {
  readonly report: RecordOf<typeof incidentReport>
  /** Without reason and proposal if the reader may not see health details. */
  readonly decisions: readonly (Omit<Decision, 'reason' | 'proposal'> &
    Partial<Pick<Decision, 'reason' | 'proposal'>>)[]
  readonly sent: readonly RecordOf<typeof hseReport>[]
  /** Day in Europe/London on which the clock is read: that of the closure, if the incident is closed. */
  readonly today: string
  readonly nameOf: (username: string | null | undefined) => string
}

/** Returns the sections about RIDDOR: the clock, each decision with the proposal of that time, and each report to HSE. */
export const buildRiddorSections = (record: RiddorRecord, names: ReadonlyMap<number, string>): SheetSection[] => [
  { title: 'RIDDOR', fields: clockFields(record) },
  { title: 'RIDDOR decisions', fields: decisionFields(record, names), none: 'Nobody has decided yet.' },
  { title: 'Reports to HSE', fields: sentFields(record), none: 'No report recorded.' },
]

const CLOCK = ['riddorOutcome', 'riddorDecision', 'clockStartedOn', 'reportBy', 'hseReference', 'hseSentOn'] as const

function clockFields({ report, today }: RiddorRecord): SheetField[] {
  const clock = describeClock(report, today)
  return [
    ...formatPrintFields(incidentReport, report, CLOCK),
    ...(clock ? [{ label: `Clock on ${formatIsoDateAsUk(today)}`, value: clock.text }] : []),
  ]
}

const decisionFields = ({ decisions, nameOf }: RiddorRecord, names: ReadonlyMap<number, string>): SheetField[] =>
  decisions.map(({ decision, reason, reportBy, proposal, author, createdAt }) => ({
    label: `${formatInstant(createdAt)}, ${nameOf(author)}`,
    value: [
      RIDDOR_DECISIONS.find(({ value }) => value === decision)?.label ?? decision,
      ...(reportBy ? [`Report by ${formatIsoDateAsUk(reportBy)}`] : []),
      ...(reason ? [`Reason: ${reason}`] : []),
      ...(proposal
        ? proposalLines(proposal, names)
        : ['Reason and proposal are visible only to readers of health details.']),
    ].join('\n'),
  }))

const proposalLines = ({ outcome, duties, reasons }: Screening, names: ReadonlyMap<number, string>): string[] => {
  const about = (person: number | undefined) => (person === undefined ? '' : (names.get(person) ?? 'Deleted person'))
  return [
    `Proposal then: ${OUTCOMES[outcome]}`,
    ...duties.map((duty) =>
      [
        [DUTY_NAMES[duty.kind], about(duty.person)].filter(Boolean).join(', '),
        ` (regulation ${duty.regulation}): ${duty.reason} ${describeDuty(duty)}`,
      ].join(''),
    ),
    ...reasons.map(({ text, regulation, person }) =>
      [about(person) && `${about(person)}: `, text, regulation && ` (regulation ${regulation})`].join(''),
    ),
  ]
}

const sentFields = ({ sent, nameOf }: RiddorRecord): SheetField[] =>
  sent.map(({ reference, sentOn, reportBy, reason, author, createdAt }) => {
    const late = countDaysLate({ reportBy, hseSentOn: sentOn }, sentOn)
    return {
      label: `${formatInstant(createdAt)}, ${nameOf(author)}`,
      value: [
        `${reason ? 'Correction: reported' : 'Reported'} on ${formatIsoDateAsUk(sentOn)}, reference ${reference}`,
        ...(late ? [late === 1 ? '1 day late' : `${late} days late`] : []),
        ...(reason ? [`Reason: ${reason}`] : []),
      ].join('\n'),
    }
  })
