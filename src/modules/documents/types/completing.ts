import { type Violation, violation } from '#kernel/errors.ts'
import { unplacedAnswerViolations } from '#kernel/forms/answers.ts'
import { removePlaceholders } from '#kernel/forms/fields-in.ts'
import { formProblems } from '#kernel/forms/problems.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { type DocumentKind, documentRecordTitle } from './kind.ts'
import { unconfirmedAnswerViolations } from './origin.ts'

type Values = Readonly<Record<string, unknown>>

/** A record's answers to the form. Templates may have placeholders. */
const answersOf = (kind: DocumentKind, record: Values): Values =>
  record.isTemplate === true ? record : removePlaceholders(kind.schema, record)

/**
 * Returns everything missing for completion in a record's content, each path once. Used by server and screen, with the
 * type and the answers by the record's form.
 */
export function findMissingContent(kind: DocumentKind, record: Values): Violation[] {
  const { field, required } = kind.title
  const answers = answersOf(kind, record)
  const wrong = [
    ...(hasVisibleText(documentRecordTitle(kind, answers)) ? [] : [violation(field, required)]),
    ...formProblems(kind.schema, answers).filter((v) => v.propertyPath !== field),
    ...(kind.problems?.(answers) ?? []),
    ...unconfirmedAnswerViolations(kind.schema, answers),
    ...unplacedAnswerViolations(answers),
  ]
  const seen = new Set<string>()
  return wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
}

/** Questions of a record's form, and the problems that prevent its completion. */
export const completionRuleOf = (kind: DocumentKind, record: Values) => ({
  problems: findMissingContent(kind, record),
  asked: kind.asked?.(record) ?? {},
})
