import type { Violation } from '#kernel/errors.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { QUOTE_LINE_LIST_NAMES, type QuoteLineLists } from '../lines/lines.ts'

interface KeyedLine {
  readonly key: string
}
type KeyedLineLists = QuoteLineLists<KeyedLine>

/**
 * Returns the errors that have not been corrected since the failed save. An error in a line remains until its field or
 * the entire line changes, even if the line moves. Any other error remains until its field changes.
 */
export function remainingViolations(
  violations: readonly Violation[],
  refused: KeyedLineLists,
  draft: KeyedLineLists,
): Violation[] {
  return violations.flatMap((v) => {
    const [, field = '', index, part] = /^(\w*)(?:\[(\d+)\](?:\.(\w+))?)?/.exec(v.propertyPath) ?? []
    const list = QUOTE_LINE_LIST_NAMES.find((name) => name === field)
    if (list === undefined || index === undefined) return isSameValue(at(refused, field), at(draft, field)) ? [v] : []
    const was = refused[list][Number(index)]
    const now = draft[list].findIndex((line) => line.key === was?.key)
    const line = draft[list][now]
    const untouched = part ? isSameValue(at(line, part), at(was, part)) : isSameValue(line, was)
    return line && untouched ? [{ ...v, propertyPath: `${list}[${now}]${part ? `.${part}` : ''}` }] : []
  })
}

const at = (of: object | undefined, name: string): unknown => (of as Record<string, unknown> | undefined)?.[name]
