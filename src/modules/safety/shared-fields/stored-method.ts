import { type Violation, violation } from '#kernel/errors.ts'
import { tooLongViolation } from '#kernel/forms/losses.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import type { HtmlSanitiser } from '#kernel/text/clean-nodes.ts'
import { toText } from '#kernel/text.ts'
import { DEFAULT_MAX_LENGTHS } from '#kernel/validate.ts'
import type { StoredFieldRules } from '#modules/documents/types/kind.ts'
import { METHOD_STATEMENT_LISTS } from '../statements/method-statement.ts'

const MAX_PARTS = 200
const MAX_HTML_LENGTH = DEFAULT_MAX_LENGTHS.richText ?? 200_000

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const unreadable = (path: string) => violation(path, 'The method statement can’t be read')

const statementsOf = (value: unknown, cleanHtml: HtmlSanitiser) =>
  (Array.isArray(value) ? value : []).filter(isPlainObject).map((s) => ({
    '@id': toText(s['@id']),
    title: toText(s.title),
    text: cleanHtml(toText(s.text)),
  }))

/** Rules for a document's stored statements and tasks. Formatted text is sanitised. */
export const methodStatementFieldRules: StoredFieldRules = {
  clean: (value, cleanHtml) => {
    const given = isPlainObject(value) ? value : {}
    return Object.fromEntries(METHOD_STATEMENT_LISTS.map((name) => [name, statementsOf(given[name], cleanHtml)]))
  },
  wrong: (value, path) => {
    if (isEmpty(value)) return []
    if (!isPlainObject(value)) return [unreadable(path)]
    return METHOD_STATEMENT_LISTS.flatMap((name) => wrongStatements(value[name], `${path}.${name}`))
  },
}

function wrongStatements(value: unknown, path: string): Violation[] {
  if (isEmpty(value)) return []
  if (!Array.isArray(value)) return [unreadable(path)]
  if (value.length > MAX_PARTS)
    return [violation(path, `The method statement can have at most ${MAX_PARTS} parts of each type`, 'too_long')]
  return value.flatMap((s: unknown, i) => {
    const at = `${path}[${i}]`
    if (!isPlainObject(s)) return [unreadable(at)]
    return [
      ...(tooLongViolation('Title', toText(s.title), 255, `${at}.title`) ?? []),
      ...(tooLongViolation('Text', toText(s.text), MAX_HTML_LENGTH, `${at}.text`) ?? []),
    ]
  })
}
