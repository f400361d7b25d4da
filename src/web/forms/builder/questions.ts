import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { DeclaredForm } from '#kernel/forms/read-form.ts'
import type { FormCondition, FormField, FormFieldKind, FormFieldOption, FormSchema } from '#kernel/forms/schema.ts'

/** Rules for a form builder: the question types and settings that it allows. */
export interface FormBuilderRules {
  /** Answer types that a new question can have. */
  readonly kinds: readonly FormFieldKind[]
  /** Initial values of a new question. */
  readonly blank: Pick<FormField, 'kind' | 'required' | 'options' | 'additional'>
  readonly requiredLabel: (kind: FormFieldKind) => string
  /** Whether choices can have points and stand for fine or a defect, and a question can name what is checked. */
  readonly scoring?: boolean
  /**
   * Declared form of which the edited form is a version. The steps and groups can't be removed, but questions can be
   * omitted and included again.
   */
  readonly declared?: DeclaredForm
}

export const QUESTION_KIND_LABELS: Readonly<Record<FormFieldKind, string>> = {
  select: 'One choice from a list',
  text: 'Short text',
  person: 'Person',
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
    field.subject ? 'names what is checked' : '',
    field.when?.length ? `asked only if ${describeConditions(form, field.when)}` : '',
    field.additional ? 'added' : '',
  ]
    .filter(Boolean)
    .join(' · ')

/** Derives a unique field name from a label, using letters and digits only. */
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

/** Choice that is being edited. A new choice has no value yet. */
export interface EditedChoice {
  readonly id: number
  readonly value?: FormFieldOption['value']
  readonly label: string
  readonly points: number | ''
  readonly means?: FormFieldOption['means'] | undefined
}

export const toEditedChoices = (choices: readonly FormFieldOption[]): EditedChoice[] =>
  choices.map(({ value, label, points, means }, id) => ({ id, value, label, points: points ?? '', means }))

const FINE = /^(ok|okay|yes|pass|passed|good|fine|satisfactory|acceptable|safe|no defects?)$/i
const DEFECT = /^(defect|defective|no|fail|failed|not ok|poor|damaged|missing|unsatisfactory|unacceptable|unsafe)$/i

/**
 * Returns the choices with a meaning proposed from their words, for the author to accept; undefined if a choice already
 * has a meaning, or no word is known.
 */
export function proposeMeanings(choices: readonly EditedChoice[]): EditedChoice[] | undefined {
  const fine = choices.find((c) => FINE.test(c.label.trim()))
  if (!fine || choices.some((c) => c.means)) return undefined
  return choices.map((c) =>
    c === fine ? { ...c, means: 'fine' } : DEFECT.test(c.label.trim()) ? { ...c, means: 'defect' } : c,
  )
}

/** Sets the meaning of a choice. Only one choice can stand for fine. */
export const setMeaning = (
  choices: readonly EditedChoice[],
  id: number,
  means: FormFieldOption['means'],
): EditedChoice[] =>
  choices.map((c) =>
    c.id === id ? { ...c, means } : means === 'fine' && c.means === 'fine' ? { ...c, means: undefined } : c,
  )

/** Returns the choices that have a label. A choice keeps its stored value when its label is changed. */
export const toFormChoices = (
  edited: readonly EditedChoice[],
  { points: keepPoints }: { points: boolean },
): FormFieldOption[] =>
  edited.flatMap(({ value, label, points, means }) => {
    const text = label.trim()
    if (!text) return []
    const counted = keepPoints && points !== '' ? { points } : {}
    return [{ value: value ?? text, label: text, ...counted, ...(keepPoints && means ? { means } : {}) }]
  })

/**
 * Parses the columns of a table, one per line. An existing column whose label is unchanged is retained. A new column is
 * a short text field.
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

/** Returns the questions with few possible answers, in order. A condition may depend on these questions. */
export const fieldsForConditions = (form: FormSchema, except?: string): readonly FormField[] =>
  formFieldsIn(form).filter((f) => f.name !== except && ['select', 'switch', 'checkbox'].includes(f.kind))

interface ConditionAnswer {
  /** Value as a string, for a select input. */
  readonly key: string
  readonly label: string
  readonly value: unknown
}

/** Returns the possible answers to a question, for use in a condition. */
export const answersForConditions = (field: FormField): readonly ConditionAnswer[] =>
  field.kind === 'select'
    ? (field.options ?? []).map(({ value, label }) => ({ key: String(value), label, value }))
    : [
        { key: 'true', label: 'Yes', value: true },
        { key: 'false', label: 'No', value: false },
      ]

/** Describes conditions as text: `“Is it wet?” is Yes and “Where” is not Roof` */
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
