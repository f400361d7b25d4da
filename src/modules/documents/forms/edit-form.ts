import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormKind, FormSchema } from '#kernel/forms/schema.ts'

/** What a question that is added can be answered with, as its author chooses it. */
export const QUESTION_KINDS = [
  { value: 'text', label: 'A line of text' },
  { value: 'longText', label: 'Several lines of text' },
  { value: 'number', label: 'A number' },
  { value: 'date', label: 'A date' },
  { value: 'select', label: 'One of a list' },
  { value: 'switch', label: 'Yes or no' },
  { value: 'checkbox', label: 'A box to tick' },
] as const satisfies readonly { readonly value: FormKind; readonly label: string }[]

/** The form with one of its steps' fields changed; they stand in the step's groups as before. */
const inStep = (schema: FormSchema, step: string, change: (fields: readonly FormField[]) => readonly FormField[]) => ({
  ...schema,
  steps: schema.steps.map((s) =>
    s.name === step ? { ...s, groups: s.groups.map((g) => ({ ...g, fields: change(g.fields) })) } : s,
  ),
})

/** The form with a field's place in its group taken by the one before it (-1) or after it (1). */
export const moveField = (schema: FormSchema, step: string, name: string, by: -1 | 1): FormSchema =>
  inStep(schema, step, (fields) => {
    const at = fields.findIndex((f) => f.name === name)
    const [one, other] = [fields[at], fields[at + by]]
    if (!one || !other) return fields
    return fields.map((f) => (f === one ? other : f === other ? one : f))
  })

export const leaveOut = (schema: FormSchema, step: string, name: string): FormSchema =>
  inStep(schema, step, (fields) => fields.filter((f) => f.name !== name))

export const replaceField = (schema: FormSchema, step: string, field: FormField): FormSchema =>
  inStep(schema, step, (fields) => fields.map((f) => (f.name === field.name ? field : f)))

/** The form with a field at the end of a step. */
export const addField = (schema: FormSchema, step: string, field: FormField): FormSchema => ({
  ...schema,
  steps: schema.steps.map((s) =>
    s.name === step
      ? {
          ...s,
          groups: s.groups.length
            ? s.groups.map((g, i) => (i === s.groups.length - 1 ? { ...g, fields: [...g.fields, field] } : g))
            : [{ fields: [field] }],
        }
      : s,
  ),
})

/** What a kind asks for that a form of it leaves out, with the step in which it stands there. */
export function leftOutOf(declared: FormSchema, schema: FormSchema): { step: string; field: FormField }[] {
  const asked = new Set(fieldsIn(schema).map((f) => f.name))
  const steps = new Set(schema.steps.map((s) => s.name))
  const last = schema.steps.at(-1)?.name ?? ''
  return declared.steps.flatMap((s) =>
    fieldsIn({ steps: [s] }).flatMap((field) =>
      asked.has(field.name) ? [] : [{ step: steps.has(s.name) ? s.name : last, field }],
    ),
  )
}

/** A name for a field that is added, of letters and digits, from what it is called; none of those that are taken. */
export function nameFor(label: string, taken: ReadonlySet<string>): string {
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

/** Choices as they are typed, one a line; each once. */
export const choicesIn = (lines: string) =>
  [...new Set(lines.split('\n').map((line) => line.trim()))].flatMap((value) =>
    value ? [{ value, label: value }] : [],
  )
