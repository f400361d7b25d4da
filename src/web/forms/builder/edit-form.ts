import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { defectPhotoOf, isDefect } from '#kernel/forms/fine.ts'
import type { FormCondition, FormField, FormGroup, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { makeFieldName } from './questions.ts'

export interface FormGroupPosition {
  readonly step: number
  readonly group: number
}

const replaceAt = <T>(list: readonly T[], at: number, change: (one: T) => T): T[] =>
  list.map((one, i) => (i === at ? change(one) : one))
const removeAt = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at)

function moveBy<T>(list: readonly T[], at: number, by: -1 | 1): readonly T[] {
  const to = at + by
  if (at < 0 || to < 0 || to >= list.length) return list
  const next = [...list]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
}

export const changeStep = (form: FormSchema, step: number, change: (step: FormStep) => FormStep): FormSchema => ({
  ...form,
  steps: replaceAt(form.steps, step, change),
})

const changeFields = (
  form: FormSchema,
  change: (fields: readonly FormField[]) => readonly FormField[],
): FormSchema => ({
  ...form,
  steps: form.steps.map((s) => ({ ...s, groups: s.groups.map((g) => ({ ...g, fields: change(g.fields) })) })),
})

export const fieldNamesInForm = (form: FormSchema): Set<string> => new Set(formFieldsIn(form).map((f) => f.name))

/** Adds a field at the end of a group. If the group doesn't exist, it is added too. */
export const addField = (form: FormSchema, { step, group }: FormGroupPosition, field: FormField): FormSchema =>
  changeStep(form, step, (s) => ({
    ...s,
    groups: s.groups[group]
      ? replaceAt(s.groups, group, (g) => ({ ...g, fields: [...g.fields, field] }))
      : [...s.groups, { fields: [field] }],
  }))

/** Replaces the field that has the same name as the given field. */
export const replaceField = (form: FormSchema, field: FormField): FormSchema =>
  changeFields(form, (fields) => fields.map((f) => (f.name === field.name ? field : f)))

/** Moves a field up or down within its group. */
export const moveField = (form: FormSchema, name: string, by: -1 | 1): FormSchema =>
  changeFields(form, (fields) =>
    moveBy(
      fields,
      fields.findIndex((f) => f.name === name),
      by,
    ),
  )

/** Adds a copy of a field below that field. The copy gets a new name. */
export const copyField = (form: FormSchema, name: string): FormSchema =>
  changeFields(form, (fields) =>
    fields.flatMap((f) =>
      f.name === name
        ? [f, { ...f, name: makeFieldName(f.label, fieldNamesInForm(form)), label: `${f.label} (copy)`.slice(0, 120) }]
        : [f],
    ),
  )

/** Removes a field with the photo of its defects, and the conditions that depend on it. */
export function removeField(form: FormSchema, name: string): FormSchema {
  const field = formFieldsIn(form).find((f) => f.name === name)
  const photo = field && defectPhotoOf(form, field)
  return removeConditionsOn(omitField(photo ? omitField(form, photo.name) : form, name), new Set([name]))
}

const photoLabel = (question: FormField) => `Photo: ${question.label}`.slice(0, 120)

/**
 * Adds, changes or removes the field for photos of a question's defects, which is placed after the question. `former`
 * is the question before it was edited.
 */
export function setDefectPhoto(
  form: FormSchema,
  question: FormField,
  { wanted, former = question }: { readonly wanted: boolean; readonly former?: FormField | undefined },
): FormSchema {
  const photo = defectPhotoOf(form, former)
  const defects = (question.options ?? []).flatMap((o) => (isDefect(question, o.value) ? [o.value] : []))
  if (!wanted || !defects.length) return photo ? removeField(form, photo.name) : form
  const [defect] = defects
  const when = [{ watch: question.name, ...(defects.length === 1 ? { equals: defect } : { in: defects }) }]
  if (photo) {
    const label = photo.label === photoLabel(former) ? photoLabel(question) : photo.label
    return replaceField(form, { ...photo, label, when })
  }
  const added: FormField = {
    name: makeFieldName(`${question.label} photo`, fieldNamesInForm(form)),
    kind: 'uploads',
    label: photoLabel(question),
    when,
  }
  return changeFields(form, (fields) => fields.flatMap((f) => (f.name === question.name ? [f, added] : [f])))
}

/** Removes a field that can be added again later. Conditions that depend on the field are retained. */
export const omitField = (form: FormSchema, name: string): FormSchema =>
  changeFields(form, (fields) => fields.filter((f) => f.name !== name))

/**
 * Returns the fields of a declared form that are missing from a version of the form, each with the position of its step
 * in that version.
 */
export function findOmittedFields(declared: FormSchema, form: FormSchema): { step: number; field: FormField }[] {
  const present = fieldNamesInForm(form)
  return declared.steps.flatMap((s) => {
    const at = form.steps.findIndex((own) => own.name === s.name)
    const step = at < 0 ? form.steps.length - 1 : at
    return formFieldsIn({ steps: [s] }).flatMap((field) => (present.has(field.name) ? [] : [{ step, field }]))
  })
}

export const addStep = (form: FormSchema): FormSchema => {
  const title = `Step ${form.steps.length + 1}`
  const name = makeFieldName(title, new Set(form.steps.map((s) => s.name)))
  return { ...form, steps: [...form.steps, { name, title, groups: [{ fields: [] }] }] }
}

export const moveStep = (form: FormSchema, step: number, by: -1 | 1): FormSchema => ({
  ...form,
  steps: moveBy(form.steps, step, by),
})

/** Removes a step with its questions, and the conditions that depend on these questions. */
export const removeStep = (form: FormSchema, step: number): FormSchema =>
  removeConditionsOn(
    { ...form, steps: removeAt(form.steps, step) },
    fieldNamesInForm({ ...form, steps: form.steps.slice(step, step + 1) }),
  )

export const addGroup = (form: FormSchema, step: number): FormSchema =>
  changeStep(form, step, (s) => ({ ...s, groups: [...s.groups, { title: 'New group', fields: [] }] }))

/** Sets the heading of a group. An empty heading is removed. */
export const setGroupTitle = (form: FormSchema, { step, group }: FormGroupPosition, title: string): FormSchema =>
  changeStep(form, step, (s) => ({
    ...s,
    groups: replaceAt(s.groups, group, (g): FormGroup => {
      const { title: _, ...rest } = g
      return title ? { title, ...rest } : rest
    }),
  }))

/** Removes a group with its questions, and the conditions that depend on these questions. */
export const removeGroup = (form: FormSchema, { step, group }: FormGroupPosition): FormSchema =>
  removeConditionsOn(
    changeStep(form, step, (s) => ({ ...s, groups: removeAt(s.groups, group) })),
    new Set(form.steps[step]?.groups[group]?.fields.map((f) => f.name)),
  )

function removeConditionsOn(form: FormSchema, names: ReadonlySet<string>): FormSchema {
  const without = <T extends { readonly when?: readonly FormCondition[] }>({ when = [], ...rest }: T) => {
    const left = when.filter((c) => !names.has(c.watch))
    return left.length ? { ...rest, when: left } : rest
  }
  return {
    ...form,
    steps: form.steps.map((s) => ({
      ...without(s),
      groups: s.groups.map((g) => ({ ...without(g), fields: g.fields.map(without) })),
    })) as readonly FormStep[],
  }
}
