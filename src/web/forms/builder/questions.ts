import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { DeclaredForm } from '#kernel/forms/read-form.ts'
import type { FormCondition, FormField, FormFieldKind, FormFieldOption, FormSchema } from '#kernel/forms/schema.ts'

/** Rules for the user of a form builder: the allowed question types and settings. */
export interface FormBuilderRules {
  /** The answer types of a new question. */
  readonly kinds: readonly FormFieldKind[]
  /** The initial values of a new question. */
  readonly blank: Pick<FormField, 'kind' | 'required' | 'options' | 'additional'>
  readonly requiredLabel: (kind: FormFieldKind) => string
  /** Whether choices can have points. */
  readonly scoring?: boolean
  /**
   * The declared form of which this form is a version: steps and groups stay, and its questions can be omitted and
   * included again.
   */
  readonly declared?: DeclaredForm
}

/** The label of each answer type. */
export const QUESTION_KIND_LABELS: Readonly<Record<FormFieldKind, string>> = {
  select: 'One choice from a list',
  text: 'Short text',
  longText: 'Long text',
  number: 'Number',
  date: 'Date',
  dateTime: 'Date and time',
  switch: 'Yes or no',
  checkbox: 'Tick box',
  combobox: 'Several choices from a list',
  uploads: 'Photos and files',
  signature: 'Signature',
  rows: 'Table',
  richText: 'Formatted text',
  autocomplete: 'Text with suggestions',
  remoteSelect: 'One choice from a list',
  imageCards: 'Picture choice',
  emergencyContacts: 'Names and phone numbers',
  custom: 'Special field',
}

/** Describes a question: `One choice from a list · required · asked only if “Is it wet?” is Yes` */
export const describeQuestion = (form: FormSchema, field: FormField): string =>
  [
    QUESTION_KIND_LABELS[field.kind],
    field.required ? 'required' : '',
    field.options?.some((o) => o.points !== undefined) ? 'counts' : '',
    field.when?.length ? `asked only if ${describeConditions(form, field.when)}` : '',
    field.additional ? 'added' : '',
  ]
    .filter(Boolean)
    .join(' · ')

/** Makes a unique field name of letters and digits from a label. */
export function makeFieldName(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  const joined = words.map((w, i) => (i ? w.charAt(0).toUpperCase() + w.slice(1) : w.toLowerCase())).join('')
  const name = (/^[a-z]/.test(joined) ? joined : `question${joined}`).slice(0, 36)
  if (!taken.has(name)) return name
  for (let n = 2; ; n++) if (!taken.has(`${name}${n}`)) return `${name}${n}`
}

/** A choice while it is edited. New ones have no value yet. */
export interface EditedChoice {
  readonly id: number
  readonly value?: FormFieldOption['value']
  readonly label: string
  readonly points: number | ''
}

export const toEditedChoices = (choices: readonly FormFieldOption[]): EditedChoice[] =>
  choices.map(({ value, label, points }, id) => ({ id, value, label, points: points ?? '' }))

/** The choices that have a label. Stored values stay when a choice is renamed. */
export const toFormChoices = (
  edited: readonly EditedChoice[],
  { points: keepPoints }: { points: boolean },
): FormFieldOption[] =>
  edited.flatMap(({ value, label, points }) => {
    const text = label.trim()
    return text ? [{ value: value ?? text, label: text, ...(keepPoints && points !== '' ? { points } : {}) }] : []
  })

/**
 * Parses the columns of a table, one per line. Columns with an unchanged label stay as they were; new ones are short
 * texts.
 */
export function parseTableColumns(lines: string, before: readonly FormField[] = []): FormField[] {
  const labels = new Set(lines.split('\n').flatMap((line) => line.trim() || []))
  const taken = new Set(before.map((f) => f.name))
  return [...labels].map((label) => {
    const column = before.find((f) => f.label === label)
    if (column) return column
    const name = makeFieldName(label, taken)
    taken.add(name)
    return { name, kind: 'text', label: label.slice(0, 120) }
  })
}

/** The questions with few possible answers, in order: a condition may depend on them. */
export const fieldsForConditions = (form: FormSchema, except?: string): readonly FormField[] =>
  formFieldsIn(form).filter((f) => f.name !== except && ['select', 'switch', 'checkbox'].includes(f.kind))

interface ConditionAnswer {
  /** The value as text, for a select. */
  readonly key: string
  readonly label: string
  readonly value: unknown
}

/** The possible answers to a question, for a condition. */
export const answersForConditions = (field: FormField): readonly ConditionAnswer[] =>
  field.kind === 'select'
    ? (field.options ?? []).map(({ value, label }) => ({ key: String(value), label, value }))
    : [
        { key: 'true', label: 'Yes', value: true },
        { key: 'false', label: 'No', value: false },
      ]

/** Conditions in words: `“Is it wet?” is Yes and “Where” is not Roof` */
function describeConditions(form: FormSchema, when: readonly FormCondition[]): string {
  const fields = formFieldsIn(form)
  return when
    .map((c) => {
      const field = fields.find((f) => f.name === c.watch)
      const labelOf = (value: unknown) =>
        (field && answersForConditions(field).find((a) => a.value === value)?.label) ??
        (value === null ? 'nothing' : JSON.stringify(value))
      const rule =
        'equals' in c
          ? `is ${labelOf(c.equals)}`
          : 'differs' in c
            ? `is not ${labelOf(c.differs)}`
            : c.in
              ? `is one of ${c.in.map(labelOf).join(', ')}`
              : `is none of ${(c.notIn ?? []).map(labelOf).join(', ')}`
      return `“${field?.label ?? c.watch}” ${rule}`
    })
    .join(' and ')
}
