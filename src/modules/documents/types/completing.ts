import { type Violation, violation } from '#kernel/errors.ts'
import { unplacedAnswerViolations } from '#kernel/forms/answers.ts'
import { removePlaceholders } from '#kernel/forms/fields-in.ts'
import { formCompletionProblems } from '#kernel/forms/problems.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { type DocumentKind, documentRecordTitle } from './kind.ts'
import { unconfirmedAnswerViolations } from './origin.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns a record's answers to the form. Placeholders are removed, except in templates. */
const answersOf = (kind: DocumentKind, record: Values): Values =>
  record.isTemplate === true ? record : removePlaceholders(kind.schema, record)

/**
 * Returns everything that is missing from a record's content for completion, each path once. Used by the server and the
 * screens, with the type and the answers according to the record's form.
 */
export function findMissingContent(kind: DocumentKind, record: Values): Violation[] {
  const { field, required } = kind.title
  const answers = answersOf(kind, record)
  const wrong = [
    ...(hasVisibleText(documentRecordTitle(kind, answers)) ? [] : [violation(field, required)]),
    ...formCompletionProblems(kind.schema, answers).filter((v) => v.propertyPath !== field),
    ...(kind.problems?.(answers) ?? []),
    ...unconfirmedAnswerViolations(kind.schema, answers),
    ...unplacedAnswerViolations(answers),
  ]
  const seen = new Set<string>(record.isTemplate === true ? kind.openInTemplates : undefined)
  return wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
}

/** Returns the problems that prevent a record's completion, and the number of questions in each of the type's own inputs. */
export const completionRuleFor = (kind: DocumentKind, record: Values) => ({
  problems: findMissingContent(kind, record),
  asked: kind.asked?.(record) ?? {},
})
