import { type Violation, violation } from '#kernel/errors.ts'
import { withoutPlaceholders } from '#kernel/forms/placeholders.ts'
import { formProblems } from '#kernel/forms/problems.ts'
import { unplacedProblems } from '#kernel/forms/take-over.ts'
import { showsText } from '#kernel/text.ts'
import { type DocumentKind, titleIn } from './kind.ts'
import { unconfirmedAnswers } from './origin.ts'

type Values = Readonly<Record<string, unknown>>

/** The record as it answers the form. A template may hold a place open. */
const answersOf = (kind: DocumentKind, record: Values): Values =>
  record.isTemplate === true ? record : withoutPlaceholders(kind.schema, record)

/**
 * Everything that keeps a record from being completed, as far as its words say it; each place once. The server and the screen ask
 * here, with the kind in the record's form and what it says by the names of that form.
 */
export function wordsMissing(kind: DocumentKind, record: Values): Violation[] {
  const { field, required } = kind.title
  const answers = answersOf(kind, record)
  const wrong = [
    ...(showsText(titleIn(kind, answers)) ? [] : [violation(field, required)]),
    ...formProblems(kind.schema, answers).filter((v) => v.propertyPath !== field),
    ...(kind.problems?.(answers) ?? []),
    ...unconfirmedAnswers(kind.schema, answers),
    ...unplacedProblems(answers),
  ]
  const seen = new Set<string>()
  return wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
}

/** What completing a record asks, and what keeps it from being completed. */
export const judgedBy = (kind: DocumentKind, record: Values) => ({
  problems: wordsMissing(kind, record),
  asked: kind.asked?.(record) ?? {},
})
