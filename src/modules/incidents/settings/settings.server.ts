import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import {
  incidentSettings,
  levelOfReport,
  NOTIFIED_LEVELS,
  RECIPIENT_ROLES,
  type Recipients,
  type RecipientsByLevel,
} from './incident-settings.ts'
import { isRequirableAnswer } from './required-answers.ts'

const areRecipients = (value: unknown): value is Recipients =>
  isPlainObject(value) &&
  Array.isArray(value.roles) &&
  value.roles.every((role) => typeof role === 'string' && Object.hasOwn(RECIPIENT_ROLES, role)) &&
  Array.isArray(value.users) &&
  value.users.every((id) => Number.isSafeInteger(id))

/** Validates the recipients by level, which API clients may send in any shape. */
async function recipientViolations(c: RecordReader, recipients: RecipientsByLevel): Promise<Violation[]> {
  const refuse = (message: string) => [violation('recipients', message)]
  if (!isPlainObject(recipients)) return refuse('Please choose recipients for each severity')
  const entries = Object.entries(recipients)
  if (entries.some(([level, chosen]) => !isLevel(level) || !areRecipients(chosen)))
    return refuse('Please choose recipients for each severity')
  const empty = NOTIFIED_LEVELS.find(({ value }) => recipients[value] && !countChosen(recipients[value]))
  if (empty) return refuse(`Please choose a recipient for “${empty.label}”, or leave it at the default`)
  const ids = [...new Set(entries.flatMap(([, { users }]) => users))]
  const found = ids.length ? await c.find(user, { id: ids, isRetired: false }) : []
  return found.filter(canReadBook).length < ids.length
    ? refuse('A chosen person can’t open the accident book, or has left. Please choose another person')
    : []
}

const isLevel = (level: string): boolean => NOTIFIED_LEVELS.some(({ value }) => value === level)
const countChosen = ({ roles, users }: Recipients): number => roles.length + users.length
const canReadBook = ({ roles }: { readonly roles: readonly string[] }): boolean =>
  INCIDENT_BOOK_ROLES.some((role) => roles.includes(role))

const settingsBehaviour = behaviour(incidentSettings, {
  beforeSave: async (c) => {
    const { requiredAnswers, recipients } = c.changes
    const wrong = [
      ...(requiredAnswers?.every(isRequirableAnswer) === false
        ? [violation('requiredAnswers', 'There is no such question', 'not_an_option')]
        : []),
      ...(recipients === undefined ? [] : await recipientViolations(c, recipients ?? {})),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    return undefined
  },
})

/** Returns the answers that a company requires of a reporter. */
export const readRequiredAnswers = async (c: RecordReader, clientId: number): Promise<readonly string[]> =>
  (await c.get(incidentSettings, clientId))?.requiredAnswers ?? []

/**
 * Returns the IDs of the users who are notified of a new report. If none of the chosen recipients can open the accident
 * book any more, these are the company and safety administrators, so that no report goes unnoticed.
 */
export async function findReportRecipients(
  c: Context,
  report: Parameters<typeof levelOfReport>[0],
): Promise<readonly number[]> {
  const { roles = [], users = [] } =
    (await c.get(incidentSettings, c.clientId))?.recipients[levelOfReport(report)] ?? {}
  const withRoles = (wanted: readonly string[]) => findUsersWithRoles(c.work.tx, c.clientId, wanted)
  const named = users.length ? await c.find(user, { id: [...users], isRetired: false }) : []
  const found = [
    ...(roles.length ? await withRoles(roles) : []).map(({ userId }) => userId),
    ...named.filter(canReadBook).map(({ id }) => id),
  ]
  return found.length ? [...new Set(found)] : (await withRoles(DOCUMENT_APPROVER_ROLES)).map(({ userId }) => userId)
}

export const incidentReportSettings = feature({
  pack: 'safety',
  resources: [incidentSettings],
  behaviours: [settingsBehaviour],
})
