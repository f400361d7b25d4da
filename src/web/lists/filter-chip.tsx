import { Button, Combobox, Popover, useCombobox } from '@mantine/core'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { RemoteSelect } from '../forms/remote-select.tsx'
import { useNameOf } from '../forms/use-choices.ts'
import { nameOfLink } from '../forms/values.ts'
import css from './data-list.module.css'
import { type Filter, filterOfIri, iriOfFilter } from './filters.ts'
import { type Counted, useCounts } from './use-counts.ts'

interface Props {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
  readonly counted?: Counted | undefined
}

/** A filter as a chip: it says what it is set to, opens to change it, and can be taken off. */
export const FilterChip = (props: Props) =>
  props.filter.options ? <OptionChip {...props} /> : <RecordChip {...props} />

const chipStyle = (on: boolean) => ({
  size: 'compact-md' as const,
  className: css.chip ?? '',
  variant: on ? 'light' : 'default',
  rightSection: <IconChevronDown size={14} aria-hidden />,
})

/** More options than one looks through: they are searched. */
const SEARCHED = 12

function OptionChip({ filter, value, onChange, counted }: Props) {
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
  const counts = useCounts(combobox.dropdownOpened && filter.counted ? counted : undefined, filter)
  const chosen = options.find((o) => o.value === value)
  const offered = options.filter((o) => o.label.toLowerCase().includes(typed.trim().toLowerCase()))
  return (
    <span className={css.chipPair} data-set={value !== '' || undefined}>
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
          <Button {...chipStyle(!!chosen)} onClick={() => combobox.toggleDropdown()}>
            {chosen ? `${filter.label}: ${chosen.label}` : filter.label}
          </Button>
        </Combobox.Target>
        <Combobox.Dropdown>
          {searched && (
            <Combobox.Search
              aria-label={`Search ${filter.label.toLowerCase()}`}
              placeholder="Type a part of the name"
              value={typed}
              onChange={(e) => {
                setTyped(e.currentTarget.value)
                combobox.updateSelectedOptionIndex()
              }}
            />
          )}
          <Combobox.Options aria-label={filter.label} mah={320} className={css.options}>
            {offered.map((o) => (
              <Combobox.Option key={o.value} value={o.value} active={o.value === value} className={css.option}>
                <IconCheck size={16} aria-hidden opacity={o.value === value ? 1 : 0} />
                <span className={css.optionWords}>{o.label}</span>
                {filter.counted && <span className={css.count}>{counts?.get(o.value)?.toLocaleString('en-GB')}</span>}
              </Combobox.Option>
            ))}
            {offered.length === 0 && <Combobox.Empty>Nothing of that name</Combobox.Empty>}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {value && <TakeOff label={filter.label} onClick={() => onChange('')} />}
    </span>
  )
}

function RecordChip({ filter, value, onChange }: Props) {
  const [opened, setOpened] = useState(false)
  const target = filter.target!
  const iri = iriOfFilter(filter, value)
  const name = useNameOf(target, iri, nameOfLink(target, undefined))
  return (
    <span className={css.chipPair} data-set={!!iri || undefined}>
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
          <Button {...chipStyle(!!iri)} onClick={() => setOpened((o) => !o)}>
            {iri ? `${filter.label}: ${name ?? '…'}` : filter.label}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter.label}>
          <RemoteSelect
            target={target}
            label={filter.label}
            value={iri}
            autoFocus
            onChange={(chosen) => {
              onChange(filterOfIri(chosen))
              setOpened(false)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {iri && <TakeOff label={filter.label} onClick={() => onChange('')} />}
    </span>
  )
}

const TakeOff = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <Button
    size="compact-md"
    variant="light"
    className={css.takeOff}
    aria-label={`Remove filter ${label}`}
    onClick={onClick}
  >
    <IconX size={14} aria-hidden />
  </Button>
)
