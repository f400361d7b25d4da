import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { type Values, visibleForm } from '#kernel/forms/visible.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { UploadsView } from '#web/uploads/view.tsx'
import { formatDocumentValue, rowTitle } from '../types/value-text.ts'
import css from './paper.module.css'

interface Props {
  readonly schema: FormSchema
  readonly record: Values
  /** Name of the field that the header already shows. */
  readonly title: string
}

/** A document's completed fields, under the headings of the document's form. */
export function FormAnswers({ schema, record, title }: Props) {
  const steps = visibleForm(schema, record).steps.flatMap(({ step, groups }) => {
    const shown = groups.map((g) => ({
      ...g,
      fields: g.fields.filter((f) => f.name !== title && saysSomething(f, record[f.name])),
    }))
    return shown.some((g) => g.fields.length) ? [{ step, groups: shown }] : []
  })
  return steps.map(({ step, groups }) => (
    <section key={step.name}>
      <h2>{step.title}</h2>
      <dl className={css.facts}>
        {groups.flatMap((g) =>
          g.fields.map((f) => (
            <div key={f.name} data-wide={(f.width ?? 12) > 6 || undefined}>
              <dt>{f.label}</dt>
              <dd>
                <Value field={f} value={record[f.name]} />
              </dd>
            </div>
          )),
        )}
      </dl>
    </section>
  ))
}

const saysSomething = (field: FormField, value: unknown) =>
  formatDocumentValue(field, value).replaceAll(',', '').trim() !== '' && !(Array.isArray(value) && value.length === 0)

function Value({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  if (field.kind === 'uploads') return <UploadsView value={uploadsInAnswer(value)} />
  if (field.kind === 'richText') return <RichTextView html={String(value)} />
  const rows = Array.isArray(value) && value.every((v) => v !== null && typeof v === 'object')
  if (!rows) return formatDocumentValue(field, value)
  const names = (value as Values[]).map(rowTitle).filter(Boolean)
  return (
    <ul>
      {names.map((name, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may say the same
        <li key={i}>{name}</li>
      ))}
    </ul>
  )
}
