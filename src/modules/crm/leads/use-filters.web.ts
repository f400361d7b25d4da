import { useQuery } from '@tanstack/react-query'
import type { FilterSpec } from '#web/lists/filters.ts'
import { staffOptions } from '../contacts/data.web.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { DUE } from '../contacts/list-state.web.ts'
import { businessType } from '../contacts/lookups.ts'

/** What the leads are narrowed by, beside their category and the search. `owner` is the one that is chosen. */
export function useFilters(owner: string): readonly FilterSpec[] {
  const everybody = useQuery(staffOptions).data?.['hydra:member'] ?? []
  const named = everybody
    .toSorted((a, b) => Number(a.tray) - Number(b.tray))
    .map((s) => ({ value: s.username ?? '', label: s.tray ? `${s.name} (tray)` : (s.name ?? '') }))
  const known = ['', 'mine', 'none'].includes(owner) || named.some((o) => o.value === owner)
  return [
    {
      key: 'owner',
      label: 'Owner',
      options: [
        { value: 'mine', label: 'My leads' },
        { value: 'none', label: 'Unowned' },
        ...(known ? [] : [{ value: owner, label: owner }]),
        ...named,
      ],
    },
    { key: 'due', label: 'Due', options: Object.entries(DUE).map(([value, label]) => ({ value, label })) },
    { key: 'type', label: 'Business type', target: businessType },
    { key: 'batch', label: 'Import', target: importBatch },
  ]
}
