import { useSyncExternalStore } from 'react'
import { rowsOf } from '#kernel/forms/rows.ts'
import { EmergencyContacts } from '../inputs/emergency-contacts.tsx'
import { written } from '../store/path.ts'
import { words } from '../words.ts'
import { labelFor } from './label.ts'
import type { KindProps } from './parts.ts'
import css from './schema-form.module.css'

const SLOTS = [0, 1, 2] as const

/** The three emergency contacts with their problems. */
export function ContactsInput({ store, path, field, value, onChange, readOnly }: KindProps) {
  const here = written(path)
  // Shows problems only after the whole input was left: the second half of a contact is typed after the first.
  const wrong = useSyncExternalStore(store.onDerived, () =>
    JSON.stringify(
      SLOTS.map((i) => ({ name: store.problem(`${here}[${i}].name`), number: store.problem(`${here}[${i}].number`) })),
    ),
  )
  return (
    <fieldset className={css.rows}>
      <legend className={css.label}>{labelFor(field)}</legend>
      <EmergencyContacts
        value={rowsOf(value).map((c) => ({ name: words(c.name), number: words(c.number) }))}
        onChange={onChange}
        readOnly={readOnly}
        errors={JSON.parse(wrong) as { name?: string; number?: string }[]}
      />
    </fieldset>
  )
}
