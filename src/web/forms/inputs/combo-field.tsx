import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import css from './combo-field.module.css'

interface Props {
  readonly label: string
  readonly options: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  /** Allows values that are not among the options. */
  readonly create?: boolean
  readonly required?: boolean
  readonly error?: ReactNode
  readonly readOnly?: boolean
  readonly description?: ReactNode
}

/** Field for up to five values, chosen from a list or typed. */
export function ComboField({
  label,
  options,
  value,
  onChange,
  create = true,
  required,
  error,
  readOnly = false,
  description,
}: Props) {
  const [typed, setTyped] = useState('')
  const id = useId()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const open = () => !readOnly && combobox.openDropdown()
  const found = filterOptions(options, value, typed)
  const full = value.length >= MAX_SELECTIONS
  const add = (word: string) => {
    onChange(addSelection(value, word))
    setTyped('')
    combobox.resetSelectedOption()
  }
  const remove = (word: string) => onChange(value.filter((v) => v !== word))
  return (
    <Combobox store={combobox} withinPortal onOptionSubmit={add}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label + (required ? ' (Required)' : '')}
          id={id}
          description={description}
          error={error}
          variant={readOnly ? 'filled' : 'default'}
          onClick={open}
        >
          <Pill.Group>
            {value.map((word) => (
              <Pill
                key={word}
                className={css.pill ?? ''}
                withRemoveButton={!readOnly}
                onRemove={() => remove(word)}
                removeButtonProps={{ 'aria-label': `Remove ${word}`, 'aria-hidden': false, tabIndex: 0 }}
              >
                {word}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                role="combobox"
                id={id}
                value={typed}
                readOnly={readOnly}
                aria-required={required}
                aria-invalid={error ? true : undefined}
                autoComplete="off"
                placeholder={full ? `At most ${MAX_SELECTIONS} choices` : ''}
                onFocus={open}
                onBlur={() => combobox.closeDropdown()}
                onChange={(e) => {
                  setTyped(e.currentTarget.value)
                  open()
                  combobox.updateSelectedOptionIndex()
                }}
                onKeyDown={(e) => {
                  const last = value.at(-1)
                  if (e.key === 'Backspace' && typed === '' && last && !readOnly) {
                    e.preventDefault()
                    remove(last)
                  }
                  if (e.key !== 'Enter' || found.length || !create || typed.trim() === '') return
                  e.preventDefault()
                  add(typed.trim())
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={label} mah={260} className={css.options}>
          {full ? (
            <Combobox.Empty>{`You can choose at most ${MAX_SELECTIONS}`}</Combobox.Empty>
          ) : (
            found.map((o) => (
              <Combobox.Option key={o} value={o}>
                {o}
              </Combobox.Option>
            ))
          )}
          {!full && found.length === 0 && (
            <Combobox.Empty>
              {`No results matching "${typed}".`}
              {create && ' Press enter to create a new one'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Maximum number of selected values in a combobox. Further values are ignored (safety specification, section 5). */
const MAX_SELECTIONS = 5

/**
 * Returns the selection with one more value. Ignores a value that is already selected, whatever its case, or that
 * exceeds the maximum.
 */
export const addSelection = (chosen: readonly string[], value: string): string[] =>
  chosen.some((c) => c.toLowerCase() === value.toLowerCase())
    ? [...chosen]
    : [...chosen, value].slice(0, MAX_SELECTIONS)

/** Returns the options that match the typed text and are not selected yet. */
export const filterOptions = (options: readonly string[], chosen: readonly string[], typed: string): string[] => {
  const isWanted = createTextMatcher(typed)
  return options.filter((o) => !chosen.includes(o) && isWanted(o))
}
