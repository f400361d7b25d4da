import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Pill.layer.css'
import { Button, Pill, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { ImageCardPicker } from '#web/forms/inputs/image-card-picker.tsx'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import css from '../library.module.css'
import { type PpeItem, resolvePpeItems } from '../risk/snapshots.ts'
import { parseNumericIds } from '../statements/selection.ts'
import { isPpe, PPE_CATEGORIES, type PpeRecord, ppe } from './ppe.ts'
import { PpeDialog } from './ppe-dialog.web.tsx'

interface Props {
  readonly label: string
  /** IDs of the chosen PPE, as a list or a comma-separated string. */
  readonly value: unknown
  readonly onChange: (ids: number[]) => void
  readonly readOnly: boolean
}

const ALL = 'all'

/** Picker for PPE, both the company's own and templates. One search finds items of all categories. */
function PpePicker({ label, value, onChange, readOnly }: Props) {
  const actor = useActor()
  const [category, setCategory] = useState<string>(ALL)
  const [search, setSearch] = useState('')
  const [creating, setCreating] = useState(false)
  const list = useList(ppe, { retired: false, pagination: false })
  const ids = parseNumericIds(value)
  const all = list.data?.['hydra:member'].filter((p) => isPpe(p) || ids.includes(p.id))
  const isMatch = createTextMatcher(search)
  const isFound = (p: PpeRecord) =>
    search.trim() ? isMatch(p.name, p.description ?? '', p.category ?? '') : category === ALL || p.category === category
  const chosen = all?.filter((p) => ids.includes(p.id)) ?? []
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div>
      <TextInput
        type="search"
        label="Search all PPE"
        placeholder="For example: gloves, EN 149"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={320}
        mb="sm"
      />
      <ImageCardPicker
        label={label}
        categories={[
          { value: ALL, label: 'All categories' },
          ...PPE_CATEGORIES.map((c) => {
            const n = chosen.filter((p) => p.category === c).length
            return { value: c, label: n ? `${c} (${n})` : c }
          }),
        ]}
        category={search.trim() ? ALL : category}
        onCategory={(chosenCategory) => {
          setCategory(chosenCategory)
          setSearch('')
        }}
        empty={search.trim() ? `No PPE contains “${search.trim()}”` : undefined}
        items={all?.filter(isFound).map((p) => ({ id: String(p.id), name: p.name, image: p.imagePath }))}
        value={ids.map(String)}
        onChange={(next) => onChange(parseNumericIds(next))}
        readOnly={readOnly}
      />
      {chosen.length > 0 && (
        <ul className={css.chosen} aria-label="Selected PPE">
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

/** Field to choose protective equipment. Stores the IDs, and copies of the chosen items in `ppeItems`. */
export function PpeField({ field, value, onChange, readOnly, read, set }: CustomFieldProps) {
  const all = useList(ppe, { retired: false, pagination: false }).data?.['hydra:member']
  useEffect(() => {
    if (!all || readOnly) return
    const was = (read('ppeItems') ?? []) as readonly PpeItem[]
    const now = resolvePpeItems(parseNumericIds(value), all, was)
    if (JSON.stringify(now) !== JSON.stringify(was)) set('ppeItems', now)
  }, [all, value, readOnly, read, set])
  return <PpePicker label={field.label} value={value} onChange={onChange} readOnly={readOnly} />
}
