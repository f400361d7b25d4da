import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, useCombobox } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import cell from './cell.module.css'
import css from './suggest.module.css'

export interface Suggestion {
  readonly value: string
  readonly name: string
  readonly note: string
}

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly offered: readonly Suggestion[]
  readonly onChoose: (value: string) => void
  readonly placeholder?: string
  readonly max: number
  /** Accessible name of the list of suggestions. */
  readonly offeredAs: string
  /** Type of the input: `list` if Shift+Tab moves to the elements before the input. */
  readonly editor?: '' | 'list'
  readonly onKeyDown?: (e: KeyboardEvent<HTMLInputElement>) => void
  readonly onBlur?: () => void
  readonly className?: string
  readonly before?: ReactNode
}

/** Text input with suggestions. The typed text is retained unless the person chooses a suggestion. */
export function SuggestionInput({
  label,
  value,
  onChange,
  offered,
  offeredAs,
  onChoose,
  placeholder,
  max,
  editor = '',
  ...more
}: Props) {
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { onKeyDown, onBlur, className } = more
  return (
    <Combobox store={box} withinPortal position="bottom-start" onOptionSubmit={onChoose} shadow="md" width={340}>
      <Combobox.Target withExpandedAttribute>
        <input
          role="combobox"
          aria-expanded={box.dropdownOpened}
          className={className ?? cell.input}
          aria-label={label}
          autoComplete="off"
          data-editor={editor}
          data-autofocus={(value === '' && editor === '') || undefined}
          placeholder={placeholder}
          maxLength={max}
          value={value}
          onChange={(e) => {
            onChange(e.currentTarget.value)
            box.openDropdown()
            box.resetSelectedOption()
          }}
          onFocus={() => box.openDropdown()}
          onClick={() => box.openDropdown()}
          onBlur={() => {
            box.closeDropdown()
            onBlur?.()
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options aria-label={offeredAs} className={css.options ?? ''}>
          {offered.map((o) => (
            <Combobox.Option key={o.value} value={o.value} className={css.option ?? ''}>
              <span>{o.name}</span>
              <small>{o.note}</small>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
