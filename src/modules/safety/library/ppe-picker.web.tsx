import '@mantine/core/styles/Pill.layer.css'
import { Button, Pill } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { ImageCardPicker } from '#web/forms/inputs/image-card-picker.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import css from '../library.module.css'
import { parseNumericIds } from '../statements/selection.ts'
import { PPE_CATEGORIES, ppe } from './ppe.ts'
import { PpeDialog } from './ppe-dialog.web.tsx'

interface Props {
  readonly label?: string
  /** IDs of the chosen equipment, as a list or a comma-separated string. */
  readonly value: unknown
  readonly onChange: (ids: number[]) => void
  readonly readOnly?: boolean
}

/** Picker for protective equipment, both the company's own and templates, one category at a time. */
export function PpePicker({ label = 'Personal protective equipment', value, onChange, readOnly = false }: Props) {
  const actor = useActor()
  const [category, setCategory] = useState<string>(PPE_CATEGORIES[0])
  const [creating, setCreating] = useState(false)
  const list = useList(ppe, { retired: false, pagination: false })
  const all = list.data?.['hydra:member']
  const ids = parseNumericIds(value)
  const chosen = all?.filter((p) => ids.includes(p.id)) ?? []
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div>
      <ImageCardPicker
        label={label}
        categories={PPE_CATEGORIES.map((c) => {
          const n = chosen.filter((p) => p.category === c).length
          return { value: c, label: n ? `${c} (${n})` : c }
        })}
        category={category}
        onCategory={setCategory}
        items={all
          ?.filter((p) => p.category === category)
          .map((p) => ({ id: String(p.id), name: p.name, image: p.imagePath }))}
        value={ids.map(String)}
        onChange={(next) => onChange(parseNumericIds(next))}
        readOnly={readOnly}
      />
      {chosen.length > 0 && (
        <ul className={css.chosen} aria-label="Selected equipment">
          {chosen.map((p) => (
            <li key={p.id}>
              <Pill
                size="lg"
                withRemoveButton={!readOnly}
                onRemove={() => onChange(ids.filter((id) => id !== p.id))}
                removeButtonProps={{ 'aria-label': `Remove ${p.name}`, 'aria-hidden': false, tabIndex: 0 }}
              >
                {p.name}
              </Pill>
            </li>
          ))}
        </ul>
      )}
      {!readOnly && can(actor, 'create', ppe) && (
        <>
          <Button
            mt="md"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            Create PPE
          </Button>
          <PpeDialog
            opened={creating}
            onClose={() => setCreating(false)}
            onSaved={(made) => {
              setCategory(made.category ?? category)
              onChange([...ids, made.id])
            }}
          />
        </>
      )}
    </div>
  )
}
