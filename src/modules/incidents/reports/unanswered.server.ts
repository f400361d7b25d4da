import { type Violation, violation } from '#kernel/errors.ts'
import { hasRole } from '#kernel/roles.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import { MISSING_ANSWER, missingAnswers, type RequirableAnswer } from '../settings/required-answers.ts'
import { readRequiredAnswers } from '../settings/settings.server.ts'
import type { incidentReport } from './incident-report.ts'

type Save = Context & BeforeSaveInput<typeof incidentReport>

/** Field of a report that gives each answer. */
const FIELDS: Readonly<Record<RequirableAnswer, string>> = {
  place: 'internalLocation',
  injured: 'personnel',
  photo: 'files',
  contact: 'reporterContact',
}

interface UnansweredQuestions {
  readonly refused: readonly Violation[]
  /** Missing answers that the reporter's form did not require. */
  readonly accepted: string[]
}

/**
 * Returns the required answers that a new report lacks. A report that was written before the company required an
 * answer, and waited on a device, is accepted and marked: no report is lost. Entries of users who write the accident
 * book need no further answers, unless they used the reporter's form.
 */
export async function findUnansweredQuestions(c: Save): Promise<UnansweredQuestions> {
  const { values, actor } = c
  if (!values.deviceKey && hasRole(actor, INCIDENT_BOOK_ROLES)) return { refused: [], accepted: [] }
  const missing = missingAnswers(await readRequiredAnswers(c, c.clientId), {
    reporter: values.byLink ? 'visitor' : 'user',
    nearMiss: values.nearMiss ?? false,
    severity: values.reportedHarm ?? values.actualSeverity ?? null,
    internalLocation: values.internalLocation ?? '',
    latitude: values.latitude ?? null,
    injuredCount: (values.personnel ?? []).filter(({ recordType, retired }) => recordType !== 'WT' && !retired).length,
    photoCount: values.files?.length ?? 0,
    contact: values.reporterContact ?? '',
  })
  const isInsisted = (name: string) => values.formRequired?.includes(name) ?? true
  return {
    refused: missing.filter(isInsisted).map((name) => violation(FIELDS[name], MISSING_ANSWER[name])),
    accepted: missing.filter((name) => !isInsisted(name)),
  }
}
