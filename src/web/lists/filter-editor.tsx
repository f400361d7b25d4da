import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { Button, Combobox, Popover, useCombobox } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatInteger } from '#kernel/text.ts'
import { RemoteSelect } from '../forms/remote-select.tsx'
import { type FilterEditorProps, filterChipStyle } from './chip-style.tsx'
import css from './data-list.module.css'
import { filterValueToIri, iriToFilterValue } from './filters.ts'
import { useFilterCounts } from './use-counts.ts'

/** Editor of a filter chip. It opens as soon as it has loaded. */
export default function FilterEditor(props: FilterEditorProps) {
  return props.filter.options ? <Options {...props} /> : <Records {...props} />
}

/** Number of options above which a search box is shown. */
const SEARCHED = 12
/** Number of options visible at once. */
const SCROLLED = 6

function Options({ filter, value, words, onChange, counted }: FilterEditorProps) {
  const [typed, setTyped] = useState('')
  const options = filter.options ?? []
  const searched = options.length > SEARCHED
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.selectActiveOption()
      if (searched) combobox.focusSearchInput()
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setTyped('')
    },
  })
  const open = useEffectEvent(() => {
    combobox.focusTarget()
    combobox.openDropdown()
  })
  useEffect(() => open(), [])
  const counts = useFilterCounts(combobox.dropdownOpened && filter.counted ? counted : undefined, filter)
  const isOffered = createTextMatcher(typed)
  const offered = options.filter((o) => isOffered(o.label))
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      width="max-content"
      position="bottom-start"
      onOptionSubmit={(next) => {
        onChange(next)
        combobox.closeDropdown()
        combobox.focusTarget()
      }}
    >
      <Combobox.Target targetType="button">
        <Button {...filterChipStyle(options.some((o) => o.value === value))} onClick={() => combobox.toggleDropdown()}>
          {words}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {searched && (
          <Combobox.Search
            aria-label={`Search ${filter.label.toLowerCase()}`}
            placeholder="Type part of the name"
            value={typed}
            onChange={(e) => {
              setTyped(e.currentTarget.value)
              combobox.updateSelectedOptionIndex()
            }}
          />
        )}
        <Combobox.Options
          aria-label={filter.label}
          mah={320}
          className={css.options}
          // A scrolling area must be focusable, so that it can be scrolled with the keyboard.
          {...(options.length > SCROLLED ? { tabIndex: 0 } : {})}
        >
          {offered.map((o) => (
            <Combobox.Option key={o.value} value={o.value} active={o.value === value} className={css.option}>
              <IconCheck size={16} aria-hidden opacity={o.value === value ? 1 : 0} />
              <span className={css.optionWords}>{o.label}</span>
              {filter.counted && <span className={css.count}>{countOf(counts?.get(o.value))}</span>}
            </Combobox.Option>
          ))}
          {offered.length === 0 && <Combobox.Empty>No match. Try another name.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const countOf = (n: number | undefined) => n !== undefined && formatInteger(n)

function Records({ filter, value, words, onChange }: FilterEditorProps) {
  const [opened, setOpened] = useState(true)
  const target = filter.target!
  const iri = filterValueToIri(filter, value)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      withinPortal
      position="bottom-start"
      width={280}
    >
      <Popover.Target>
        <Button {...filterChipStyle(!!iri)} onClick={() => setOpened((o) => !o)}>
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={filter.label}>
        <RemoteSelect
          target={target}
          label={filter.label}
          value={iri}
          autoFocus
          onChange={(chosen) => {
            onChange(iriToFilterValue(chosen))
            setOpened(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
