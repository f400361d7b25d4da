import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Collection, callApi } from '../../api/client.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { ImageCardPicker } from '../inputs/image-card-picker.tsx'
import { formFieldLabel } from '../labels.ts'
import { formatPlainValue } from '../words.ts'
import type { SchemaFieldInputProps } from './parts.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Input to select pictures, one category at a time. The value is a list of IDs. The field's options are the categories.
 */
export function ImageCardsInput({ field, value, onChange, readOnly, error }: SchemaFieldInputProps) {
  const url = field.source?.url ?? ''
  const list = useQuery({
    queryKey: [url, 'list', 'cards'],
    queryFn: ({ signal }) =>
      callApi<Collection<Row>>('GET', `${url}?retired=false&pagination=false`, undefined, { signal }),
    enabled: url !== '',
    staleTime: 60_000,
  })
  const rows = list.data?.['hydra:member']
  const categories =
    field.options?.map((o) => String(o.value)) ??
    [...new Set((rows ?? []).map((r) => formatPlainValue(r.category)))].sort()
  const [chosen, choose] = useState<string>()
  const category = chosen ?? categories[0] ?? null
  const ids = Array.isArray(value) ? value.map(Number) : []
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <ImageCardPicker
        label={formFieldLabel(field)}
        categories={categories.map((c) => ({ value: c, label: c || 'Other' }))}
        category={category}
        onCategory={choose}
        items={rows
          ?.filter((r) => formatPlainValue(r.category) === category)
          .map((r) => ({
            id: formatPlainValue(r.id),
            name: formatPlainValue(r[field.source?.label ?? 'name']),
            image: formatPlainValue(r.imagePath ?? r.image) || null,
          }))}
        value={ids.map(String)}
        onChange={(next) => onChange(next.map(Number))}
        readOnly={readOnly}
      />
      {error && <ErrorText mt={4}>{error}</ErrorText>}
    </>
  )
}
