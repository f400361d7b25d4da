import '@mantine/core/styles/Combobox.layer.css'
import { Select, Text } from '@mantine/core'
import { IconCheck, IconLock, IconPhoto } from '@tabler/icons-react'
import { useId } from 'react'
import { EmptyState, LoadingRows } from '../../ui/states.tsx'
import css from './image-card-picker.module.css'

export interface ImageCard {
  readonly id: string
  readonly name: string | null
  readonly image?: string | null
}

interface Props {
  readonly label: string
  readonly categories: readonly { readonly value: string; readonly label: string }[]
  readonly category: string | null
  readonly onCategory: (category: string) => void
  /** Cards to choose from; undefined while they are loading. */
  readonly items: readonly ImageCard[] | undefined
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly readOnly?: boolean
  /** Title shown if there are no cards. */
  readonly empty?: string | undefined
  /** Limits the selection to one card. */
  readonly single?: boolean
}

/** Input to select pictures with names. It shows one category at a time. */
export function ImageCardPicker(props: Props) {
  const { label, categories, category, onCategory, items, value, onChange, readOnly = false, single = false } = props
  const { empty } = props
  const name = useId()
  const chosenCategory = categories.find((c) => c.value === category)?.label ?? ''
  const toggle = (id: string) =>
    onChange(single ? [id] : value.includes(id) ? value.filter((v) => v !== id) : [...value, id])
  return (
    <fieldset className={css.picker}>
      <legend className={css.legend}>
        {label}
        {readOnly && <IconLock size={16} aria-label="Read-only" role="img" />}
      </legend>
      <Select
        label="Category"
        data={categories.map((c) => ({ ...c }))}
        value={category}
        onChange={(v) => v !== null && onCategory(v)}
        allowDeselect={false}
        searchable={categories.length > 8}
        maw={320}
      />
      {items === undefined ? (
        <>
          <Text role="status" c="dimmed" mt="sm">{`Loading items for ${chosenCategory}`}</Text>
          <LoadingRows rows={2} height={110} />
        </>
      ) : items.length === 0 ? (
        <EmptyState title={empty ?? `No items in ${chosenCategory || 'this category'} yet`} />
      ) : (
        <div className={css.cards}>
          {items.map((item) => (
            <label key={item.id} className={css.card} data-on={value.includes(item.id) || undefined}>
              <input
                className={css.input}
                type={single ? 'radio' : 'checkbox'}
                name={name}
                checked={value.includes(item.id)}
                disabled={readOnly}
                onChange={() => toggle(item.id)}
              />
              <span className={css.mark} aria-hidden>
                {readOnly ? (
                  <IconLock size={16} />
                ) : value.includes(item.id) ? (
                  <IconCheck size={18} stroke={3} />
                ) : null}
              </span>
              {item.image ? (
                <img className={css.image} src={item.image} alt="" loading="lazy" />
              ) : (
                <span className={css.image} aria-hidden>
                  <IconPhoto size={32} stroke={1.2} />
                </span>
              )}
              <span className={css.name}>{item.name?.trim() || 'No Name'}</span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
