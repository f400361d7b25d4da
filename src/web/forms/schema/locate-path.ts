import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'

/**
 * Finds the step of a path, the element around its input, and the index of the input in it: emergency contacts have six
 * inputs in one element.
 */
export function locateFormPath(schema: FormSchema, path: string) {
  const [, name = '', at, part] = /^([^.[]*)(?:\[(\d)\]\.(name|number)$)?/.exec(path) ?? []
  for (const step of schema.steps) {
    const field = step.groups.flatMap((g) => g.fields).find((f) => f.name === name)
    if (field?.kind === 'emergencyContacts')
      return { step: step.name, path: name, nth: 2 * Number(at ?? 0) + (part === 'number' ? 1 : 0) }
    if (field) return { step: step.name, path: field.kind === 'signature' ? name : path, nth: 0 }
  }
  return undefined
}

/**
 * `steps[1].what` → `Steps 2, What`. Empty inside a module's own input, whose messages include the location; undefined
 * if the path belongs to no field.
 */
export function labelOfFormPath(schema: FormSchema, path: string): string | undefined {
  let fields: readonly FormField[] = formFieldsIn(schema)
  const words: string[] = []
  for (const part of path.split('.')) {
    const [, name, index] = /^([^[]*)(?:\[(\d+)\])?/.exec(part) ?? []
    const field = fields.find((f) => f.name === name)
    if (!field && words.length === 0) return undefined
    if (field?.kind === 'custom' && path !== name) return ''
    const label = field?.label ?? (name ?? '').replace(/^./, (c) => c.toUpperCase())
    words.push(index === undefined ? label : `${label} ${Number(index) + 1}`)
    fields = field?.fields ?? []
  }
  return words.join(', ')
}
