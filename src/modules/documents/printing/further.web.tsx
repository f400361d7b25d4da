import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { furtherAnswers } from '../forms/further.ts'
import { showValue } from '../types/value-text.ts'
import css from './paper.module.css'

/** What a form asks for beyond what its kind shows by itself. */
export const Further = ({ schema, record }: { readonly schema: FormSchema; readonly record: Values }) =>
  furtherAnswers(schema, { ...record, additional: record }).map(({ title, fields }) => (
    <section key={title}>
      <h2>{title}</h2>
      <dl className={css.facts}>
        {fields.map(({ field, value }) => (
          <div key={field.name} data-wide={(field.width ?? 12) > 6 || undefined}>
            <dt>{field.label}</dt>
            <dd>{field.kind === 'richText' ? <RichTextView html={String(value)} /> : showValue(field, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
