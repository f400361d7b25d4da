import '@mantine/core/styles/Combobox.layer.css'
import { Select, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { localAuthority } from '#modules/safety/places/local-authority.ts'
import { useList } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { errorSentence } from '#web/ui/toast.ts'

const COUNTRIES = ['England', 'Scotland', 'Wales', 'Northern Ireland'] as const
const ELSEWHERE = 'Elsewhere'
type Nation = 'greatBritain' | 'northernIreland' | 'elsewhere'

const nationOf = (country: string | null): Nation | null => {
  if (country === null) return null
  if (country === ELSEWHERE) return 'elsewhere'
  return country === 'Northern Ireland' ? 'northernIreland' : 'greatBritain'
}

const countryOf = (nation: unknown): string | null =>
  nation === 'northernIreland' ? 'Northern Ireland' : nation === 'elsewhere' ? ELSEWHERE : null

/** Local authority, chosen by country and area. The country decides whether RIDDOR applies. */
export function LocalAuthorityInput({ value, onChange, readOnly, error, read, set }: CustomFieldProps) {
  const embedded = value as { readonly country?: string } | string | null
  const [country, setCountry] = useState<string | null>(
    (typeof embedded === 'object' && embedded?.country) || countryOf(read('nation')),
  )
  const [chosenArea, setArea] = useState<string | null>(null)
  const hasAuthorities = country !== null && country !== ELSEWHERE
  const list = useList(
    localAuthority,
    { country: country ?? '', retired: false, pagination: false },
    { enabled: hasAuthorities },
  )
  const all = hasAuthorities && !list.isPlaceholderData ? (list.data?.['hydra:member'] ?? []) : []
  const iri = linkedRecordIri(value)
  const chosen = all.find((one) => one['@id'] === iri)
  const areas = [...new Set(all.map(({ area }) => area ?? ''))].toSorted((a, b) => a.localeCompare(b))
  const area = chosenArea ?? chosen?.area ?? (areas.length === 1 ? (areas[0] ?? null) : null)
  const chooseCountry = (next: string | null) => {
    setCountry(next)
    setArea(null)
    onChange(null)
    set('nation', nationOf(next))
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Select
        label="Country"
        data={[...COUNTRIES, ELSEWHERE]}
        value={country}
        onChange={chooseCountry}
        readOnly={readOnly}
        clearable
      />
      <Select
        label="Area"
        searchable
        data={areas}
        value={area}
        onChange={(next) => {
          setArea(next)
          onChange(null)
        }}
        readOnly={readOnly}
        disabled={!hasAuthorities}
        description={country === ELSEWHERE ? 'No areas outside the United Kingdom' : undefined}
        error={list.error ? errorSentence(list.error) : undefined}
      />
      <Select
        label="Local authority"
        searchable
        data={all.filter((one) => one.area === area).map((one) => ({ value: one['@id'], label: one.name ?? '' }))}
        value={iri}
        onChange={onChange}
        readOnly={readOnly}
        disabled={!area}
        error={error}
        nothingFoundMessage="No results"
      />
    </SimpleGrid>
  )
}
