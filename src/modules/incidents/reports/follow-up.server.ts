import { problem } from '#kernel/errors.ts'
import type { ActionInputOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { correctiveAction, OPEN_ACTION_STATES } from '#modules/actions/corrective-action.ts'
import { reviewRequestValues } from '#modules/documents/review/request-review.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import type { Context } from '#server/engine/types.ts'
import { type IncidentReport, incidentReport, incidentRiskLink } from './incident-report.ts'

type Inputs = NonNullable<(typeof incidentReport)['actions']>

/** Creates a corrective action whose source is the incident. Returns its number. */
export async function raiseAction(
  c: Context & { readonly row: IncidentReport; readonly input: ActionInputOf<Inputs['raiseAction']['input']> },
): Promise<string> {
  if (c.row.retired) throw problem.conflict('This incident is deleted. Restore it first.')
  const made = await c.create(correctiveAction, {
    ...c.input,
    source: iriOf(incidentReport, c.row.id),
    sourceTitle: c.row.number,
  })
  return (await made.saved()).number
}

/** Retires the open corrective actions of a deleted incident. Completed ones stay, with the incident's number. */
export async function retireActions(c: Context, report: number): Promise<void> {
  const module = c.withoutPermissionCheck('retire the corrective actions of a deleted incident')
  const source = iriOf(incidentReport, report)
  for (const row of await c.lockAll(correctiveAction, { source, retired: false, state: [...OPEN_ACTION_STATES] }))
    await module.change(correctiveAction, row, { retired: true })
}

/**
 * Requests a review of the revision in force of a linked risk assessment. Returns its number; undefined if the review was
 * already requested. Throws 409 if the assessment is not linked, or if no revision is in force.
 */
export async function requestReview(
  c: Context & { readonly row: IncidentReport; readonly input: ActionInputOf<Inputs['requestReview']['input']> },
): Promise<string | undefined> {
  if (c.row.retired) throw problem.conflict('This incident is deleted. Restore it first.')
  const { resource } = riskAssessment
  const [linked] = await c.find(incidentRiskLink, { report: c.row.id, riskAssessment: c.input.riskAssessment })
  if (!linked) throw problem.conflict('This risk assessment is not linked to the incident.')
  const documentNumber = linked.riskAssessmentDocumentNumber
  const [current] = await c.lockAll(resource, { documentNumber, current: true, retired: false })
  if (!current) throw problem.conflict('This risk assessment is not in force: only documents in force can be reviewed.')
  const day = c.row.datetime ? londonDate(Temporal.Instant.from(c.row.datetime)).toString() : undefined
  const reason = `Incident ${c.row.number}${day ? ` on ${formatIsoDateAsUk(day)}` : ''}.`
  const asked = reviewRequestValues(current, reason, londonDate(c.now).toString())
  if (!asked) return undefined
  await c.withoutPermissionCheck('request a review after an incident').change(resource, current, asked)
  return documentNumber
}
