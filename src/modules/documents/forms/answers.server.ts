import { type Violation, violation } from '#kernel/errors.ts'
import {
  ADDITIONAL_COLUMN,
  hasOwnAnswer,
  UNPLACED_COLUMN,
  type UnplacedAnswer,
  unplacedAnswers,
} from '#kernel/forms/answers.ts'
import { cleanAnswer } from '#kernel/forms/clean.ts'
import { fieldsByName, fieldsIn } from '#kernel/forms/fields-in.ts'
import { findDataLoss } from '#kernel/forms/losses.ts'
import { objectOf } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { isFilled } from '#kernel/validate.ts'
import { sanitizeAnswerHtml } from '#server/parse-html.ts'
import type { DocumentKind } from '../types/kind.ts'

type Content = Readonly<Record<string, unknown>>

interface Cleaned {
  readonly values: Content
  readonly wrong: readonly Violation[]
}

const MAX_UNPLACED = 200

/**
 * Handles answers for which the revision's form has no field, and answers to fields that form versions added. Rejects a
 * change with answers that have no field; a new document, which may be a copy with another form, stores them as
 * unplaced answers.
 */
export function cleanAnswers(kind: DocumentKind, schema: FormSchema, given: Content, before?: Content): Cleaned {
  const strays = strayAnswers(kind, schema, given)
  const { kept, wrong, unknown } = cleanAdditional(schema, given, before)
  const refused = before
    ? [...strays, ...unknown].map(({ name, label }) =>
        violation(
          name in kind.resource.fields ? name : `${ADDITIONAL_COLUMN}.${name}`,
          `This document’s form has no field “${label}”`,
        ),
      )
    : []
  const aside = before ? asideIn(given, before) : [...unplacedAnswers(given), ...strays, ...unknown]
  return {
    values: {
      ...(before ? {} : Object.fromEntries(strays.map(({ name }) => [name, undefined]))),
      ...(kept === undefined ? {} : { [ADDITIONAL_COLUMN]: kept }),
      ...(aside === undefined || (!before && !aside.length && !(UNPLACED_COLUMN in given))
        ? {}
        : { [UNPLACED_COLUMN]: aside }),
    },
    wrong: [
      ...wrong,
      ...refused,
      ...((aside?.length ?? 0) > MAX_UNPLACED
        ? [violation(UNPLACED_COLUMN, `There can be at most ${MAX_UNPLACED}`)]
        : []),
    ],
  }
}

/** Answers to fields of the type that this form omits. */
function strayAnswers(kind: DocumentKind, schema: FormSchema, given: Content): UnplacedAnswer[] {
  const asked = fieldsByName(schema)
  return fieldsIn(kind.schema).flatMap((f) => {
    const { name, label, kind: how } = f
    return how !== 'custom' && !asked.has(name) && hasOwnAnswer(f, given[name])
      ? [{ name, label, kind: how, value: given[name] }]
      : []
  })
}

/** Merges the sent values of additional fields into the stored ones. */
function cleanAdditional(schema: FormSchema, given: Content, before: Content = {}) {
  const sent = given[ADDITIONAL_COLUMN]
  if (sent === undefined) return { kept: undefined, wrong: [], unknown: [] }
  const asked = new Map(fieldsIn(schema).flatMap((f) => (f.additional ? [[f.name, f] as const] : [])))
  const wrong: Violation[] = []
  const unknown: UnplacedAnswer[] = []
  const kept: Record<string, unknown> = { ...objectOf(before[ADDITIONAL_COLUMN]) }
  if (sent !== null && sent !== objectOf(sent))
    wrong.push(violation(ADDITIONAL_COLUMN, 'The additional fields are not valid'))
  for (const [name, value] of Object.entries(objectOf(sent))) {
    const field = asked.get(name)
    if (field) {
      wrong.push(...findDataLoss(field, value, `${ADDITIONAL_COLUMN}.${name}`))
      kept[name] = value === null ? null : cleanAnswer(field, value, sanitizeAnswerHtml)
    } else if (isFilled(value)) unknown.push({ name, label: name, kind: 'text', value })
  }
  return { kept, wrong, unknown }
}

/** Unplaced answers can be removed by users but not added. */
function asideIn(given: Content, before: Content): UnplacedAnswer[] | undefined {
  if (!(UNPLACED_COLUMN in given)) return undefined
  const names = new Set(unplacedAnswers(given).map((u) => u.name))
  return unplacedAnswers(before).filter((u) => names.has(u.name))
}
