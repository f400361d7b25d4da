import type { ValuesOf } from '#kernel/resource.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { logIncidentEvent } from '../history.server.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentEvidence } from '../reports/evidence.ts'
import { type IncidentReport, incidentOccurrence, incidentReport } from '../reports/incident-report.ts'
import { riddorDecision } from '../reports/riddor-decision.ts'
import { readIncidentFacts, type ScreenedReport } from './facts.server.ts'
import type { IncidentFacts } from './facts.ts'
import { clockOf, comparableDuties, isSameProposal, type RiddorClock } from './proposal.ts'
import { riddorClockStarted } from './reminders.server.ts'
import { type Screening, screenIncident } from './screening.ts'

/** Screening of a stored incident. The fingerprint changes with the facts, the resulting duties and the decision. */
export interface ReportScreening {
  readonly facts: IncidentFacts
  readonly screening: Screening
  readonly clock: RiddorClock | undefined
  readonly fingerprint: string
}

/** Screens a stored incident that has been reported. */
export async function screenReport(
  c: Pick<RecordReader, 'find'>,
  row: IncidentReport,
  today: string,
): Promise<ReportScreening> {
  const facts = await readIncidentFacts(c, await withRows(c, row))
  const screening = screenIncident(facts, today)
  return {
    facts,
    screening,
    clock: clockOf(facts, screening),
    fingerprint: digestSubject({
      facts,
      outcome: screening.outcome,
      duties: comparableDuties(screening),
      decision: row.riddorDecision,
    }),
  }
}

/** Returns a digest of the injuries of all people, for the comparison of a decision with later facts. */
export const injuriesOf = ({ people }: Pick<IncidentFacts, 'people'>): string =>
  digestSubject({
    injuries: people
      .map(({ id, injury, specified }) => ({ id, injury: injury ?? null, specified: specified ?? null }))
      .sort((a, b) => a.id - b.id),
  })

const withRows = async (c: Pick<RecordReader, 'find'>, row: IncidentReport): Promise<ScreenedReport> => ({
  ...row,
  personnel: await c.find(incidentPerson, { report: row.id }),
  dangerousOccurrences: await c.find(incidentOccurrence, { report: row.id }),
})

type Changes = ValuesOf<typeof incidentReport>
type PersonRow = NonNullable<ScreenedReport['personnel']>[number]

/**
 * Returns the outcome and the clock of a reported incident with the given values. While the proposal is the one on
 * which a person decided, the decision and its clock remain in force. A different proposal reopens the decision, and a
 * report to HSE must then be sent again. A decision against a report is also reopened by a change of injury, and a
 * report to HSE by a change of identity of a person in it.
 */
export async function deriveScreeningChanges(
  c: Pick<Context, 'find' | 'now'>,
  before: IncidentReport | undefined,
  values: ScreenedReport,
): Promise<Changes> {
  const facts = await readIncidentFacts(c, values)
  const screening = screenIncident(facts, londonDate(c.now).toString())
  const decided = before?.riddorDecision ? (await c.find(riddorDecision, { report: before.id })).at(-1) : undefined
  const isInjured =
    decided?.decision === 'not reportable' &&
    decided.proposal.injuries !== undefined &&
    decided.proposal.injuries !== injuriesOf(facts)
  const isReplaced = Boolean(before?.hseSentOn) && replacesInjured(before?.personnel ?? [], values.personnel ?? [])
  if (decided && !isInjured && !isReplaced && isSameProposal(decided.proposal, screening)) return {}
  const clock = clockOf(facts, screening)
  const isReopened = (before?.riddorDecision ?? null) !== null
  const state = before ? stateAfter(before.state, isReopened, clock) : undefined
  return {
    riddorOutcome: screening.outcome,
    clockStartedOn: clock?.startedOn ?? null,
    reportBy: clock?.reportBy ?? null,
    ...(isReopened ? { riddorDecision: null, hseReference: '', hseSentOn: null } : {}),
    ...(before && state !== before.state ? { state, ...(before.state === 'closed' ? { closedAt: null } : {}) } : {}),
  }
}

/** Values that identify an injured person in a report to HSE. */
const IDENTITY = ['name', 'dateOfBirth', 'payroll', 'employee'] as const

/** Returns true if an injured person has been replaced by another. Missing values may be added. */
const replacesInjured = (before: readonly PersonRow[], after: readonly PersonRow[]): boolean =>
  before.some((one) => {
    const saved = one.recordType === 'IP' && !one.retired ? after.find(({ id }) => id === one.id) : undefined
    return saved !== undefined && IDENTITY.some((name) => one[name] && (saved[name] ?? null) !== one[name])
  })

/**
 * Returns the state of an incident without a decision. An incident waits for RIDDOR only while its clock is running.
 */
function stateAfter(state: IncidentReport['state'], isReopened: boolean, clock: RiddorClock | undefined) {
  if (isReopened && clock) return 'riddor'
  const isWaiting = state === 'riddor' && !clock
  return isWaiting || (isReopened && state === 'closed') ? 'investigating' : state
}

/** Screens a stored incident again. Starts its clock, or reopens its decision, if its facts now propose that. */
async function rescreenReport(c: Context, row: IncidentReport): Promise<void> {
  const changes = await deriveScreeningChanges(c, row, await withRows(c, row))
  const changed = Object.entries(changes).filter(([name, value]) => row[name as keyof IncidentReport] !== value)
  if (!changed.length) return
  await c.set(incidentReport, row, Object.fromEntries(changed) as Changes, 'screen')
  const reopened = changes.riddorDecision === null
  await logIncidentEvent(c, row.id, reopened ? 'RIDDOR decision reopened' : 'RIDDOR screened')
  await sealEvent(c, incidentEvidence, { event: 'screened', id: row.id })
  if (changes.reportBy) await c.emit(riddorClockStarted, { report: row.id, reopened })
}

/** Number of days for which an absence is screened after its end, in case the schedule did not run during that time. */
const CATCH_UP_DAYS = 90

/**
 * Condition on `t`: an absence that is ongoing, or ended in the last 90 days and not before the last change, so that
 * the screening may change with the day.
 */
const RECENTLY_ABSENT = `t.state <> 'draft' AND EXISTS (
  SELECT FROM incident_person p CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(p.absences) WHEN 'array' THEN p.absences ELSE '[]' END) a
  WHERE p.client_id = t.client_id AND p.report_id = t.id AND p.absences IS NOT NULL AND NOT p.retired
    AND coalesce(a->>'until', 'infinity') >= greatest(
      (t.updated_at AT TIME ZONE '${LONDON_TIME_ZONE}')::date - 7, (portal_now() AT TIME ZONE '${LONDON_TIME_ZONE}')::date - ${CATCH_UP_DAYS})::text)`

/** Counts ongoing absences each day. The eighth day starts a clock, even for a closed incident. */
export const absenceSchedule = schedule({
  name: 'incident.absences',
  every: { daily: '05:30' },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: incidentReport,
        where: { retired: false },
        condition: () => RECENTLY_ABSENT,
        reason: 'incident.absences',
      },
      rescreenReport,
    ),
})
