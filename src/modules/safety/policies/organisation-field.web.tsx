import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { PolicyFunctionDialog, type PolicyFunctionRow } from './function-dialog.web.tsx'
import css from './policies.module.css'
import { isPolicyFunctionComplete, listPolicyFunctionHolders } from './policy.ts'

/** Field for functions, their holders and responsibilities. Each function is edited in a dialog. */
export function PolicyOrganisationField({ field, value, onChange, readOnly, error, id, read }: CustomFieldProps) {
  const rows = toRowObjects(value) as readonly PolicyFunctionRow[]
  const shown = listPolicyFunctionHolders(value)
  const [open, setOpen] = useState<number | 'new'>()
  const [dialog, ask] = useConfirm()
  const now = () => toRowObjects(read(field.name)) as readonly PolicyFunctionRow[]
  const remove = async (at: number) => {
    const yes = await ask({
      title: 'Delete function',
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) onChange(now().filter((_, i) => i !== at))
  }
  return (
    <section aria-label={field.label} className={css.field}>
      <div className={css.bar}>
        {!readOnly && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            {field.add}
          </Button>
        )}
        <span className={css.quiet}>{formatCountWithNoun(rows.length, 'function').join('')}</span>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      <ul className={css.functions}>
        {shown.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text
          <li key={i} data-missing={isPolicyFunctionComplete(rows[i]) ? undefined : true}>
            <div>
              <h3>{one.function}</h3>
              <p className={css.person}>{one.person}</p>
              <ul>
                {one.responsibilities.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
            {!readOnly && (
              <div className={css.bar}>
                <Button
                  id={`${id}[${i}]`}
                  size="compact-md"
                  variant="subtle"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  aria-label={`Edit ${one.function}`}
                  onClick={() => setOpen(i)}
                >
                  Edit
                </Button>
                <Button
                  size="compact-md"
                  variant="subtle"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  aria-label={`Delete ${one.function}`}
                  onClick={() => void remove(i)}
                >
                  Delete
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {dialog}
      <PolicyFunctionDialog
        opened={open !== undefined}
        row={typeof open === 'number' ? rows[open] : undefined}
        taken={rows.map((row) => toText(row.function))}
        onClose={() => setOpen(undefined)}
        onSaved={(row) => onChange(open === 'new' ? [...now(), row] : now().map((was, i) => (i === open ? row : was)))}
      />
    </section>
  )
}
