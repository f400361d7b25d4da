import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { Condition, FormField, FormGroup, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { nameFor } from '#modules/documents/forms/edit-form.ts'

/** Where something stands in a form: its step, and there its group and its field. */
export interface Place {
  readonly step: number
  readonly group: number
  readonly field?: number
}

const replaced = <T>(list: readonly T[], at: number, change: (one: T) => T): T[] =>
  list.map((one, i) => (i === at ? change(one) : one))
const moved = <T>(list: readonly T[], at: number, by: -1 | 1): readonly T[] => {
  const to = at + by
  if (to < 0 || to >= list.length) return list
  const next = [...list]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
}
const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at)

export const inStep = (form: FormSchema, step: number, change: (step: FormStep) => FormStep): FormSchema => ({
  ...form,
  steps: replaced(form.steps, step, change),
})
const inGroup = (form: FormSchema, { step, group }: Place, change: (group: FormGroup) => FormGroup): FormSchema =>
  inStep(form, step, (s) => ({ ...s, groups: replaced(s.groups, group, change) }))

export const takenIn = (form: FormSchema): Set<string> => new Set(fieldsIn(form).map((f) => f.name))

/** A field at its place; a new one at the end of its group. */
export const putField = (form: FormSchema, place: Place, field: FormField): FormSchema =>
  inGroup(form, place, (g) => ({
    ...g,
    fields: place.field === undefined ? [...g.fields, field] : replaced(g.fields, place.field, () => field),
  }))

/** Takes a field out, and with it the conditions that watched it. */
export const removeField = (form: FormSchema, place: Place): FormSchema => {
  const gone = form.steps[place.step]?.groups[place.group]?.fields[place.field ?? -1]?.name
  const left = inGroup(form, place, (g) => ({ ...g, fields: without(g.fields, place.field ?? -1) }))
  return gone === undefined ? left : withoutWatching(left, new Set([gone]))
}

export const moveField = (form: FormSchema, place: Place, by: -1 | 1): FormSchema =>
  inGroup(form, place, (g) => ({ ...g, fields: moved(g.fields, place.field ?? -1, by) }))

/** The same question once more, under a name of its own. */
export const copyField = (form: FormSchema, place: Place): FormSchema =>
  inGroup(form, place, (g) => {
    const at = place.field ?? -1
    const field = g.fields[at]
    if (!field) return g
    const copy = { ...field, name: nameFor(field.label, takenIn(form)), label: `${field.label} (copy)`.slice(0, 120) }
    return { ...g, fields: [...g.fields.slice(0, at + 1), copy, ...g.fields.slice(at + 1)] }
  })

export const addStep = (form: FormSchema): FormSchema => {
  const title = `Step ${form.steps.length + 1}`
  const name = nameFor(title, new Set(form.steps.map((s) => s.name)))
  return { ...form, steps: [...form.steps, { name, title, groups: [{ fields: [] }] }] }
}
export const addGroup = (form: FormSchema, step: number): FormSchema =>
  inStep(form, step, (s) => ({ ...s, groups: [...s.groups, { title: 'New group', fields: [] }] }))

export const moveStep = (form: FormSchema, step: number, by: -1 | 1): FormSchema => ({
  ...form,
  steps: moved(form.steps, step, by),
})

/** Takes a step out with all that it asks for. */
export const removeStep = (form: FormSchema, step: number): FormSchema => {
  const gone = new Set(fieldsIn({ steps: form.steps.slice(step, step + 1) }).map((f) => f.name))
  return withoutWatching({ ...form, steps: without(form.steps, step) }, gone)
}

/** A group with a heading; none where it is empty. */
export const headGroup = (form: FormSchema, place: Place, title: string): FormSchema =>
  inGroup(form, place, ({ help, when, fields }) => ({
    ...(title ? { title } : {}),
    ...(help ? { help } : {}),
    ...(when ? { when } : {}),
    fields,
  }))

/** Takes a group out with all that it asks for. */
export const removeGroup = (form: FormSchema, { step, group }: Place): FormSchema => {
  const gone = new Set((form.steps[step]?.groups[group]?.fields ?? []).map((f) => f.name))
  return withoutWatching(
    inStep(form, step, (s) => ({ ...s, groups: without(s.groups, group) })),
    gone,
  )
}

function withoutWatching(form: FormSchema, gone: ReadonlySet<string>): FormSchema {
  const left = <T extends { readonly when?: readonly Condition[] }>({ when, ...one }: T) => {
    const kept = (when ?? []).filter((c) => !gone.has(c.watch))
    return kept.length ? { ...one, when: kept } : one
  }
  return {
    ...form,
    steps: form.steps.map((s) => ({
      ...left(s),
      groups: s.groups.map((g) => ({ ...left(g), fields: g.fields.map((f) => left(f)) })),
    })) as readonly FormStep[],
  }
}

/** What may be watched: questions with few answers, in the form's order. */
export const watchable = (form: FormSchema, but?: string): readonly FormField[] =>
  fieldsIn(form).filter((f) => f.name !== but && ['select', 'switch', 'checkbox'].includes(f.kind))

/** The answers of a question that a condition may ask for. */
export const answersOf = (
  field: FormField,
): { readonly value: string; readonly label: string; readonly is: unknown }[] =>
  field.kind === 'select'
    ? (field.options ?? []).map((o) => ({ value: String(o.value), label: o.label, is: o.value }))
    : [
        { value: 'true', label: 'Yes', is: true },
        { value: 'false', label: 'No', is: false },
      ]

/** A condition in words, as the builder makes them. */
export function conditionWords(form: FormSchema, when: readonly Condition[] | undefined): string {
  const all = fieldsIn(form)
  return (when ?? [])
    .map((c) => {
      const field = all.find((f) => f.name === c.watch)
      const said = (value: unknown) =>
        (field && answersOf(field).find((a) => a.is === value)?.label) ??
        (value === null ? 'nothing' : JSON.stringify(value))
      const asked =
        'equals' in c
          ? `is ${said(c.equals)}`
          : 'differs' in c
            ? `is not ${said(c.differs)}`
            : c.in
              ? `is one of ${c.in.map(said).join(', ')}`
              : `is none of ${(c.notIn ?? []).map(said).join(', ')}`
      return `“${field?.label ?? c.watch}” ${asked}`
    })
    .join(' and ')
}
