import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { CloseButton, Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import type { QueryParams } from '../api/client.ts'
import { errorSentence } from '../ui/toast.ts'
import { type RecordChoice, useLinkedRecordName, useRecordChoices } from './use-choices.ts'
import { linkedRecordIri, linkedRecordName } from './values.ts'

interface Props {
  readonly target: Resource
  /** IRI of the selected record, or the embedded record itself. */
  readonly value: unknown
  readonly onChange: (iri: string | null) => void
  readonly label?: ReactNode
  readonly 'aria-label'?: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  /** Whether the list of choices opens as soon as the choices have loaded. */
  readonly opens?: boolean
  readonly placeholder?: string
  readonly onBlur?: () => void
  readonly id?: string
  /** Query parameters that restrict which records are offered. */
  readonly params?: QueryParams
  /** Label of “none”, which is offered like a record and replaces the clear button. */
  readonly none?: string | undefined
  /** Called with the label of the chosen record. */
  readonly onChoice?: (choice: RecordChoice | null) => void
}

/** A listbox may contain options only, so messages are rendered as disabled options. */
const NO_CHOICE = { role: 'option', 'aria-disabled': true, 'aria-selected': false } as const

const NONE_VALUE = 'none'

/** Input to select a record of another resource. The server is searched while the person types. */
export function RemoteSelect({
  target,
  value,
  onChange,
  onChoice,
  params,
  onBlur,
  readOnly = false,
  opens = false,
  none,
  ...rest
}: Props) {
  const [typed, setTyped] = useState<string>()
  const [last, setLast] = useState<RecordChoice>()
  const combobox = useCombobox({ defaultOpened: opens, onDropdownClose: () => combobox.resetSelectedOption() })
  const iri = linkedRecordIri(value)
  const name = useLinkedRecordName(
    target,
    iri,
    linkedRecordName(target, value) ?? (last?.iri === iri ? last?.name : undefined),
  )
  const { choices, list, settled, more } = useRecordChoices(target, typed ?? '', combobox.dropdownOpened, params)
  const offersNone = none !== undefined && createTextMatcher(typed ?? '')(none)
  /** Whether Enter was pressed before the matches had arrived. */
  const enters = useRef(false)
  const choose = (choice: RecordChoice | null) => {
    setTyped(undefined)
    setLast(choice ?? undefined)
    onChange(choice?.iri ?? null)
    onChoice?.(choice)
    combobox.closeDropdown()
  }
  const words = (typeof rest.label === 'string' ? rest.label : rest['aria-label']) ?? 'choice'
  const open = () => !readOnly && combobox.openDropdown()
  const clearable = iri !== null && !readOnly && !rest.required && none === undefined
  const firstFits = useEffectEvent(() => {
    if (!typed || !settled) return
    combobox.selectFirstOption()
    if (enters.current) combobox.clickSelectedOption()
    enters.current = false
  })
  const fitting = choices.map((c) => c.iri).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what fits is looked at when it changes
  useEffect(() => firstFits(), [typed, settled, fitting])
  /**
   * Handles Enter while the person is typing, and prevents it from submitting the form. Selects the best match as soon
   * as it has loaded, or clears the value if the text is empty.
   */
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== 'Enter' || e.nativeEvent.isComposing || typed === undefined) return
    e.preventDefault()
    if (typed === '' && clearable) choose(null)
    else if (typed) {
      open()
      enters.current = !settled
    }
  }
  return (
    <Combobox
      store={combobox}
      withinPortal
      onOptionSubmit={(chosen) => choose(choices.find((c) => c.iri === chosen) ?? null)}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...rest}
          role="combobox"
          variant={readOnly ? 'filled' : 'default'}
          readOnly={readOnly}
          autoComplete="off"
          value={typed ?? name ?? (iri ? '…' : value === null ? (none ?? '') : '')}
          onKeyDown={onKeyDown}
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            open()
            combobox.resetSelectedOption()
            enters.current = false
          }}
          onClick={open}
          onFocus={(e) => e.currentTarget.select()}
          onBlur={() => {
            combobox.closeDropdown()
            if (typed === '' && clearable) choose(null)
            setTyped(undefined)
            enters.current = false
            onBlur?.()
          }}
          rightSectionPointerEvents={clearable ? 'all' : 'none'}
          rightSection={
            list.isFetching ? (
              <Loader size={16} />
            ) : clearable ? (
              <CloseButton
                size="sm"
                aria-label={`Clear ${words}`}
                onMouseDown={(e) => e.preventDefault()}
                onClick={() => choose(null)}
              />
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={words} mah={280} style={{ overflowY: 'auto' }}>
          {choices.map((c) => (
            <Combobox.Option key={c.iri} value={c.iri} active={c.iri === iri}>
              {c.name}
            </Combobox.Option>
          ))}
          {offersNone && <Combobox.Option value={NONE_VALUE}>{none}</Combobox.Option>}
          {list.isPending && <Combobox.Empty {...NO_CHOICE}>Loading…</Combobox.Empty>}
          {list.isError && <Combobox.Empty {...NO_CHOICE}>{errorSentence(list.error)}</Combobox.Empty>}
          {list.isSuccess && choices.length === 0 && !offersNone && (
            <Combobox.Empty {...NO_CHOICE}>
              {typed ? `No results matching "${typed}"` : 'No choices available'}
            </Combobox.Empty>
          )}
          {more && <Combobox.Footer>Type to find more</Combobox.Footer>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
