import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import { createRandomKey } from '#web/api/idempotency.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { rowKeyOf } from '#web/forms/store/row-key.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { AddSubstanceDialog } from './add-substance.web.tsx'
import css from './coshh.module.css'
import { changedLibraryFields, currentLibraryFields } from './library-changes.ts'
import { currentLibrarySubstanceFor, useCurrentLibrarySubstances } from './library-changes.web.tsx'
import { StorageConflicts } from './storage-conflicts.web.tsx'
import { CoshhSubstanceRow } from './substance-row.web.tsx'
import { controlApproachDecision, type SubstanceUse } from './substances-used.ts'

const rowsOf = (value: unknown): readonly SubstanceUse[] => (Array.isArray(value) ? (value as SubstanceUse[]) : [])

/** Form field for the substances of a task, each with its use and control approach. */
export function CoshhSubstancesField({ field, value, onChange, readOnly, error, id, read, set }: CustomFieldProps) {
  const rows = rowsOf(value)
  const [adding, setAdding] = useState(false)
  const [dialog, ask] = useConfirm()
  // Reads the current rows, because another row may have changed before the library responds.
  const now = () => rowsOf(read(field.name))
  const change = (at: number, more: Partial<SubstanceUse>) =>
    onChange(now().map((row, i) => (i === at ? { ...row, ...more } : row)))
  const remove = async (row: SubstanceUse) => {
    const yes = await ask({
      title: 'Delete substance',
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) onChange(now().filter((one) => one !== row))
  }
  const library = useCurrentLibrarySubstances(rows)
  const newerOf = (row: SubstanceUse) => {
    const now = currentLibrarySubstanceFor(library, row)
    return now
      ? { changed: changedLibraryFields(row, now), taken: currentLibraryFields(now) }
      : { changed: [], taken: {} }
  }
  const open = rows.filter((row) => controlApproachDecision(row) === 'open').length
  return (
    <section aria-label={field.label} className={css.field}>
      <div className={css.bar}>
        {!readOnly && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add a substance
          </Button>
        )}
        <p className={css.quiet}>
          {[...formatCountWithNoun(rows.length, 'substance'), ...(open ? [`decisions needed: ${open}`] : [])].join(
            ', ',
          )}
        </p>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      {rows.map((row, i) => (
        <CoshhSubstanceRow
          key={rowKeyOf(row, i)}
          row={row}
          number={i + 1}
          id={`${id}[${i}]`}
          readOnly={readOnly}
          onChange={(more) => change(i, more)}
          onRemove={() => void remove(row)}
          changed={newerOf(row).changed}
          onTake={() => change(i, newerOf(row).taken)}
          form={{
            read,
            write: (values) => {
              for (const [name, next] of Object.entries(values)) set(name, next)
            },
          }}
        />
      ))}
      <StorageConflicts substances={rows} />
      {dialog}
      <AddSubstanceDialog
        opened={adding}
        chosen={rows.map((row) => toText(row.substance))}
        onAdd={(added) => onChange([...now(), { ...added, '@key': createRandomKey() }])}
        onClose={() => setAdding(false)}
      />
    </section>
  )
}
