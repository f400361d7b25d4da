import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { useSaveRecord } from '#web/api/resources.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { errorSentence } from '#web/ui/toast.ts'
import { useLibraryGroups, useRefetchLibrary } from './data.web.ts'
import { hazardGroup } from './hazard.ts'

const NEW = 'new'

/** Input to choose a hazard's group. If the user types a new group, the group is created first. */
export function HazardGroupInput({ id, value, onChange, onBlur, error }: FieldInputProps) {
  const [typed, setTyped] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const groups = useLibraryGroups(null).data ?? []
  const save = useSaveRecord(hazardGroup)
  const refresh = useRefetchLibrary()
  const name = groups.find((g) => g['@id'] === linkedRecordIri(value))?.name ?? ''
  const wanted = (typed ?? '').trim()
  const isFound = createTextMatcher(wanted)
  const found = groups.filter((g) => isFound(g.name))
  const exact = groups.some((g) => g.name.toLowerCase() === wanted.toLowerCase())
  const choose = async (chosen: string) => {
    setFailure(undefined)
    combobox.closeDropdown()
    if (chosen === NEW)
      try {
        const made = await save.mutateAsync({ values: { name: wanted } })
        await refresh()
        onChange(made['@id'])
      } catch (e) {
        return setFailure(errorSentence(e))
      }
    else onChange(chosen)
    setTyped(undefined)
  }
  return (
    <Combobox store={combobox} withinPortal onOptionSubmit={(chosen) => void choose(chosen)}>
      <Combobox.Target withExpandedAttribute>
        <InputBase
          id={id}
          role="combobox"
          label="Group (Required)"
          description="Choose a group or type a new one."
          error={failure ?? error}
          required
          autoComplete="off"
          value={typed ?? name}
          rightSection={save.isPending ? <Loader size="xs" /> : <Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            if (!failure) setTyped(undefined)
            onBlur?.()
          }}
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Group" mah={260} style={{ overflowY: 'auto' }}>
          {found.map((g) => (
            <Combobox.Option key={g.id} value={g['@id']}>
              {g.name}
            </Combobox.Option>
          ))}
          {wanted && !exact && <Combobox.Option value={NEW}>{`Create “${wanted}”`}</Combobox.Option>}
          {!found.length && !wanted && <Combobox.Empty>No groups yet. Type a name to create one.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
