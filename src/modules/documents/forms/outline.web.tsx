import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import page from '#web/ui/page.module.css'
import css from './forms.module.css'
import { kindWords } from './kind-words.ts'

interface Props {
  readonly schema: FormSchema
  /** What can be done with a field. */
  readonly actions?: (field: FormField, step: FormStep) => ReactNode
  /** What stands at the end of a step. */
  readonly foot?: (step: FormStep) => ReactNode
}

/** What a form asks for, step by step. */
export const Outline = ({ schema, actions, foot }: Props) =>
  schema.steps.map((step) => (
    <section key={step.name} className={page.card} aria-labelledby={`step-${step.name}`}>
      <h2 id={`step-${step.name}`}>{step.title}</h2>
      <ul className={css.fields}>
        {fieldsIn({ steps: [step] }).map((field) => (
          <li key={field.name} className={css.field}>
            <div className={css.words}>
              <span>{field.label}</span>
              <Text span size="sm" c="dimmed">
                {about(field)}
              </Text>
            </div>
            {actions?.(field, step)}
          </li>
        ))}
      </ul>
      {foot?.(step)}
    </section>
  ))

const about = (field: FormField): string =>
  [
    kindWords(field),
    field.required ? 'required' : '',
    field.when?.length ? 'asked under a condition' : '',
    field.additional ? 'added' : '',
  ]
    .filter(Boolean)
    .join(' · ')
