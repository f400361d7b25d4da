import { problem } from '#kernel/errors.ts'
import type { ActionInputOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { reviewRequestValues } from '#modules/documents/review/request-review.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import type { Context } from '#server/engine/types.ts'
import { type IncidentReport, type incidentReport, incidentRiskLink } from './incident-report.ts'

type Inputs = NonNullable<(typeof incidentReport)['actions']>

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
