import { Anchor } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Violation } from '#kernel/errors.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { labelOfPath, locatePath } from '#web/forms/schema/places.ts'
import { formPathAddress } from '#web/forms/schema/use-requested-place.ts'
import page from '#web/ui/page.module.css'
import type { DocumentKind } from '../types/kind.ts'
import { showValue } from '../types/value-text.ts'
import css from './check.module.css'
import type { EmptyStepParts as Parts } from './checking.ts'

export function draftFieldPath(kind: DocumentKind, record: Values, path: string): string {
  const form = `${kind.screens.update}/${String(record.id)}`
  const place = locatePath(kind.schema, path)
  return place ? formPathAddress(form, place.step, path) : form
}

interface Item {
  readonly text: string
  readonly detail?: string
  readonly to: string
}

/** Missing fields as links to them. */
export const missingItems = (kind: DocumentKind, record: Values, missing: readonly Violation[]): Item[] =>
  missing.map(({ propertyPath, message }) => {
    const label = labelOfPath(kind.schema, propertyPath)
    return { text: label ? `${label}: ${message}` : message, to: draftFieldPath(kind, record, propertyPath) }
  })

/** Unconfirmed copied answers with their names and values. The question is asked once, above. */
export const unconfirmedItems = (
  kind: DocumentKind,
  record: Values,
  unconfirmed: readonly Violation[],
  told: Readonly<Record<string, string>> = {},
): Item[] =>
  unconfirmed.map(({ propertyPath, message }) => {
    const field = fieldsIn(kind.schema).find((f) => f.name === propertyPath)
    const said = told[propertyPath] ?? (field && field.kind !== 'custom' ? showValue(field, record[field.name]) : '')
    return {
      text: field?.label ?? message.replace(/: [^:]*: [^:]*$/, ''),
      ...(said ? { detail: said } : {}),
      to: draftFieldPath(kind, record, propertyPath),
    }
  })

interface ListProps {
  readonly title: string
  readonly about?: string
  readonly icon: Icon
  readonly meaning: 'attention' | 'stop'
  readonly items: readonly Item[]
}

/** A list of things to check, each a link to its field. Renders nothing if empty. */
export function CompletionCheckList({ title, about, icon: Picture, meaning, items }: ListProps) {
  const id = useId()
  if (!items.length) return null
  return (
    <section className={`${page.card} ${css.list}`} data-meaning={meaning} aria-labelledby={id}>
      <h2 id={id}>
        <Picture size={20} aria-hidden /> {title}
      </h2>
      {about && <p className={page.quiet}>{about}</p>}
      <ul>
        {items.map(({ text, detail, to }) => (
          <li key={`${to} ${text}`}>
            <Anchor component={Link} to={to}>
              {text}
            </Anchor>
            {detail && <span className={css.detail}>{detail}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface EmptyProps {
  readonly kind: DocumentKind
  readonly record: Values
  readonly empty: readonly Parts[]
}

/** Optional parts left empty, by step. */
export const EmptyPartsCard = ({ kind, record, empty }: EmptyProps) =>
  empty.length > 0 && (
    <section className={page.card} aria-labelledby="check-empty">
      <h2 id="check-empty">Optional fields left blank</h2>
      <p className={page.quiet}>Is that right?</p>
      <dl className={css.empty}>
        {empty.map(({ step, title, fields }) => (
          <div key={step}>
            <dt>{title}</dt>
            <dd>
              <ul>
                {fields.map(({ name, label }) => (
                  <li key={name}>
                    <Anchor component={Link} to={draftFieldPath(kind, record, name)}>
                      {label}
                    </Anchor>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
