import { problem, type Violation, violation } from '#kernel/errors.ts'
import type { ActionInputOf, ValuesOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { logIncidentEvent } from '../history.server.ts'
import { incidentEvidence } from '../reports/evidence.ts'
import { type IncidentReport, incidentReport } from '../reports/incident-report.ts'
import { hseReport, RIDDOR_DECISIONS, riddorDecision } from '../reports/riddor-decision.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import type { RiddorClock } from './proposal.ts'
import { riddorClockStarted } from './reminders.server.ts'
import { injuriesOf, screenReport } from './screening.server.ts'
import type { Screening } from './screening.ts'

type Actions = NonNullable<(typeof incidentReport)['actions']>
type DecisionInput = ActionInputOf<Actions['decideRiddor']['input']>
type Acting<Name extends keyof Actions> = Context & {
  readonly row: IncidentReport
  readonly input: ActionInputOf<Actions[Name]['input']>
}

/** Throws unless the actor may read the facts of the incident, which can't be judged without them. */
function assertActable({ actor, row }: Pick<Acting<'decideRiddor'>, 'actor' | 'row'>): void {
  if (row.retired) throw problem.conflict('This incident is deleted. Restore it first.')
  if (!hasRole(actor, INCIDENT_READER_ROLE))
    throw problem.forbidden('Only readers of health details can decide whether an incident is reportable.')
}

/**
 * Stores a person's decision on whether an incident is reportable, with the proposal that was on their screen. Throws
 * 409 if the facts have changed since.
 */
export async function decideRiddor(c: Acting<'decideRiddor'>): Promise<Record<string, never>> {
  assertActable(c)
  const { row, input } = c
  const today = londonDate(c.now).toString()
  const { facts, screening, clock, fingerprint } = await screenReport(c, row, today)
  if (input.expected !== fingerprint)
    throw problem.conflict(
      'The facts or the decision of this incident have changed since you opened the page. Nothing was saved. Please read the new proposal, then decide.',
    )
  const wrong = decisionViolations(input, { screening, clock, day: facts.day, today })
  if (wrong.length) throw problem.invalid(wrong)
  const isReportable = input.decision === 'reportable'
  const reportBy = (isReportable ? (clock?.reportBy ?? input.reportBy) : null) ?? null
  const isWaiting = reportBy !== null && row.hseSentOn === null
  const state = isWaiting ? 'riddor' : row.state === 'riddor' ? 'investigating' : row.state
  const values: ValuesOf<typeof incidentReport> = {
    riddorDecision: input.decision,
    riddorOutcome: screening.outcome,
    clockStartedOn: reportBy === null ? null : (clock?.startedOn ?? today),
    reportBy,
    state,
  }
  await c.set(incidentReport, row, values, 'decide riddor')
  const added = await c.withoutPermissionCheck('record a decision under RIDDOR').create(riddorDecision, {
    report: row.id,
    decision: input.decision,
    reason: input.reason?.trim() ?? '',
    reportBy,
    proposal: { ...screening, injuries: injuriesOf(facts) },
    createdAt: c.now.toString(),
  })
  const label = RIDDOR_DECISIONS.find(({ value }) => value === input.decision)?.label
  await logIncidentEvent(c, row.id, 'RIDDOR decided', label)
  await sealEvent(c, incidentEvidence, { event: 'RIDDOR decided', id: row.id, added })
  if (isWaiting) await c.emit(riddorClockStarted, { report: row.id, reopened: false })
  return {}
}

interface Proposed {
  readonly screening: Screening
  readonly clock: RiddorClock | undefined
  readonly day: string
  readonly today: string
}

function decisionViolations(
  { decision, reason, reportBy }: DecisionInput,
  { screening, clock, day, today }: Proposed,
): Violation[] {
  const isReportable = decision === 'reportable'
  const isProposed = isReportable && screening.outcome === 'reportable'
  const wrongDeadline = () => {
    if (!reportBy)
      return isReportable && !screening.duties.length ? 'Please enter the last day for the report' : undefined
    if (!isReportable) return 'An incident that is not reportable has no last day for a report'
    if (clock && reportBy !== clock.reportBy) return 'The Regulations set the last day for this report'
    const latest = Temporal.PlainDate.from(today).add({ years: 1 }).toString()
    if (reportBy > latest) return 'Please enter a day within a year'
    return reportBy < day ? 'This day is before the incident' : undefined
  }
  const deadline = wrongDeadline()
  return [
    ...(isProposed || hasVisibleText(reason ?? '') ? [] : [violation('reason', 'Please give a reason')]),
    ...(deadline ? [violation('reportBy', deadline)] : []),
  ]
}

/**
 * Records the report to HSE or HSENI, which stops the clock. Recording it again is a correction, which needs a reason.
 * The first entry remains in the history.
 */
export async function recordHseReport(c: Acting<'recordHseReport'>): Promise<Record<string, never>> {
  assertActable(c)
  const { row, input } = c
  if (row.riddorDecision !== 'reportable')
    throw problem.conflict('Nobody has decided that this incident is reportable. Decide first, then record the report.')
  const isCorrection = row.hseSentOn !== null
  const day = londonDate(Temporal.Instant.from(row.datetime ?? c.now.toString())).toString()
  const reference = input.reference.trim()
  const reason = input.reason?.trim() ?? ''
  const wrong = [
    ...(/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(reference)
      ? []
      : [violation('reference', 'Please enter the reference that you received')]),
    ...(input.sentOn > londonDate(c.now).toString() ? [violation('sentOn', 'This day is in the future')] : []),
    ...(input.sentOn < day ? [violation('sentOn', 'This day is before the incident')] : []),
    ...(row.clockStartedOn && input.sentOn < row.clockStartedOn && input.sentOn >= day
      ? [violation('sentOn', `The duty to report arose on ${formatIsoDateAsUk(row.clockStartedOn)}`)]
      : []),
    ...(isCorrection && !hasVisibleText(reason)
      ? [violation('reason', 'Please give the reason of the correction')]
      : []),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  const state = row.state === 'riddor' ? 'investigating' : row.state
  await c.set(incidentReport, row, { hseReference: reference, hseSentOn: input.sentOn, state }, 'record hse report')
  const added = await c.withoutPermissionCheck('record a report to HSE').create(hseReport, {
    report: row.id,
    reference,
    sentOn: input.sentOn,
    reportBy: row.reportBy,
    reason,
    createdAt: c.now.toString(),
  })
  await logIncidentEvent(
    c,
    row.id,
    isCorrection ? 'Report to HSE corrected' : 'Reported to HSE',
    isCorrection ? `${row.hseReference} → ${reference}\n${reason}` : reference,
  )
  await sealEvent(c, incidentEvidence, { event: 'reported to HSE', id: row.id, added })
  return {}
}
