import { type Violation, violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { findUnprintable } from '#server/pdf/coverage.ts'
import type { DocumentKind } from '../types/kind.ts'

type Content = Readonly<Record<string, unknown>>

/** Violations for characters that no print font has. */
export const unprintableCharacters = (kind: DocumentKind, record: Content): Violation[] =>
  Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.inJson || f.kind === 'rows' || name === kind.title.field ? lostIn(record[name], name) : [],
  )

function lostIn(value: unknown, path: string): Violation[] {
  if (typeof value === 'string') {
    const lost = findUnprintable(value)
    return lost.length ? [violation(path, refusal(lost))] : []
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown, i) => lostIn(one, `${path}[${i}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => lostIn(one, `${path}.${name}`))
}

const SHOWN = 5

const refusal = (lost: readonly string[]) =>
  `Printed documents can’t show ${lost.slice(0, SHOWN).join(' ')}. Please use Latin, Greek, Cyrillic, Arabic or Hebrew letters, or emoji`
