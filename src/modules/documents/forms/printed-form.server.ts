import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { Furniture } from '#server/pdf/furniture.ts'
import type { DocumentKind } from '../types/kind.ts'
import { showValue } from '../types/value-text.ts'
import { furtherAnswers } from './further.ts'
import { labelsIn } from './labels.ts'

/**
 * What a revision's own form adds to the paper of its kind: what fields are called where the kind calls them otherwise, and the
 * additional fields that were filled in, step by step.
 */
export function printedForm(
  { schema: declared }: Pick<DocumentKind, 'schema'>,
  schema: FormSchema,
  record: Values,
): Pick<Furniture, 'labels' | 'further'> {
  const labels = labelsIn(declared, schema)
  const further = furtherAnswers(schema, record).map(({ title, fields }) => ({
    title,
    facts: fields.map(({ field, value }) => ({
      label: field.label,
      ...(field.kind === 'richText' ? { words: { html: String(value) } } : { text: showValue(field, value) }),
    })),
  }))
  return { ...(Object.keys(labels).length ? { labels } : {}), ...(further.length ? { further } : {}) }
}
