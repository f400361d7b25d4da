import { areConditionsMet, type ValueLookup } from './conditions.ts'
import type { FormCondition, FormField, FormGroup, FormSchema, FormStep } from './schema.ts'

export type Values = Readonly<Record<string, unknown>>

export interface VisibleForm {
  readonly steps: readonly VisibleStep[]
  /** Looks up values for conditions, including those of fields within rows. A hidden field is treated as empty. */
  readonly value: ValueLookup
}

export interface VisibleStep {
  readonly step: FormStep
  readonly groups: readonly VisibleGroup[]
}

export interface VisibleGroup {
  readonly group: FormGroup
  readonly fields: readonly FormField[]
}

/**
 * Returns the steps, groups and fields of a form that are visible with these values. A group whose fields are all
 * hidden is hidden too.
 */
export function visibleForm(schema: FormSchema, values: Values): VisibleForm {
  const places = schema.steps.flatMap((step) =>
    step.groups.flatMap((group) => group.fields.map((field) => place(field, step.when, group.when))),
  )
  const { shown, value } = scope(places, values)
  const steps = schema.steps.flatMap((step) => {
    const groups = step.groups.flatMap((group) => {
      const fields = group.fields.filter(shown)
      const any =
        fields.length > 0 ||
        (group.fields.length === 0 && areConditionsMet(step.when, value) && areConditionsMet(group.when, value))
      return any ? [{ group, fields }] : []
    })
    return groups.length > 0 ? [{ step, groups }] : []
  })
  return { steps, value }
}

/**
 * Returns the visible fields in one row. A condition watches the row's own field with that name if there is one,
 * otherwise the form's.
 */
export function visibleFieldsInRow(
  fields: readonly FormField[],
  row: Values,
  around: ValueLookup,
): { readonly fields: readonly FormField[]; readonly value: ValueLookup } {
  const { shown, value } = scope(
    fields.map((f) => place(f)),
    row,
    around,
  )
  return { fields: fields.filter(shown), value }
}

interface FieldPlacement {
  readonly field: FormField
  readonly when: readonly FormCondition[]
}

const place = (field: FormField, ...around: readonly (readonly FormCondition[] | undefined)[]): FieldPlacement => ({
  field,
  when: [...around, field.when].flatMap((when) => when ?? []),
})

/** A field in a cycle of conditions is treated as empty while its own visibility is evaluated. */
function scope(places: readonly FieldPlacement[], values: Values, around: ValueLookup = (name) => values[name]) {
  const byName = Map.groupBy(places, (p) => p.field.name)
  const known = new Map<FieldPlacement, boolean>()
  const shows = (p: FieldPlacement): boolean => {
    const before = known.get(p)
    if (before !== undefined) return before
    known.set(p, false)
    const now = areConditionsMet(p.when, value)
    known.set(p, now)
    return now
  }
  const value: ValueLookup = (name) => {
    const own = byName.get(name)
    if (!own) return around(name)
    return own.some(shows) ? values[name] : undefined
  }
  const byField = new Map(places.map((p) => [p.field, p]))
  return { value, shown: (field: FormField) => shows(byField.get(field)!) }
}

/**
 * Compares values by content. Row objects that are identical are not compared in detail, because tables have hundreds
 * of rows.
 */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((one, i) => isSameValue(one, b[i]))
    : JSON.stringify(a ?? null) === JSON.stringify(b ?? null))

export const pickValues = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((n) => [n, values[n]]))
