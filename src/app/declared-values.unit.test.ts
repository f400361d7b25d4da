import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '#kernel/errors.ts'
import type { Field, Fields } from '#kernel/fields.ts'
import { DEFAULT_MAX_LENGTHS, fieldViolations } from '#kernel/validate.ts'
import { parseRecordInput } from '#server/data/input.ts'
import { modules } from './modules.ts'

/** Field declarations of all request bodies: records, action inputs and routes. */
const declared: (readonly [name: string, fields: Fields])[] = modules.flatMap((module) => [
  ...module.resources.flatMap((r) => [
    [r.type, r.fields] as const,
    ...Object.entries(r.actions ?? {}).map(([name, a]) => [`${r.type}.${name}`, a.input] as const),
  ]),
  ...(module.routes ?? []).flatMap((r) => (r.input ? [[r.path, r.input] as const] : [])),
])
const typed = declared.flatMap(([of, fields]) =>
  Object.entries<Field>(fields)
    .filter(([, f]) => !f.readonly && f.kind !== 'rows' && f.kind !== 'json' && f.kind !== 'link')
    .map(([name, f]) => ({ of, name, f })),
)

/** Random strings of any length, and some that look like valid values. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(
      fc.constantFrom('', ' ', '\t', '\n', '\u00a0', '\u2003', '\ufeff', 'a', ' a'),
      fc.constantFrom(1, 300, 20_001, 200_001),
    )
    .map(([piece, times]) => piece.repeat(times)),
  fc.constantFrom(
    '9999-12-31',
    '9999-12-31T23:59:59Z',
    '0001-01-01',
    '1899-12-31',
    '3000-01-01T00:00:00Z',
    '2026-02-28',
  ),
)

/** True if the value is null, the default, a number or a string that the declaration allows. */
function isPromised(f: Field, value: unknown): boolean {
  if (value === null || value === f.default) return true
  if (typeof value !== 'string') return typeof value === 'number'
  if (f.kind === 'date' || f.kind === 'instant') return value >= '1900' && value < '3000'
  return (
    value.length <= (f.max ?? DEFAULT_MAX_LENGTHS[f.kind] ?? 0) &&
    (f.kind !== 'choice' || !!f.options?.some((o) => o.value === value))
  )
}

/** Returns the value that is stored when a string is sent for a field; `undefined` if the string is rejected. */
function kept(name: string, f: Field, sent: string): unknown {
  try {
    const { values } = parseRecordInput({ [name]: f }, { [name]: sent })
    return fieldViolations({ [name]: f }, values).length ? undefined : values[name]
  } catch (e) {
    if (e instanceof Problem && (e.status === 400 || e.status === 422)) return undefined
    throw e
  }
}

test('every field either stores a string in its declared format or rejects it', () => {
  expect(typed.length).toBeGreaterThan(300)
  fc.assert(
    fc.property(text, (sent) => {
      const broken = typed.filter(({ name, f }) => {
        const value = kept(name, f, sent)
        return value !== undefined && !isPromised(f, value)
      })
      expect(broken.map(({ of, name }) => `${of}.${name}`)).toEqual([])
    }),
    { numRuns: 60 },
  )
})
