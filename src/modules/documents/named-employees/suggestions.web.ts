import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Collection, callApi, queryString } from '#web/api/client.ts'

/** Address of the employees, whose declaration the screens of documents need not load. */
const EMPLOYEES_URL = '/api/employees/employees'
const MAX_SUGGESTIONS = 8

export interface SuggestedEmployee {
  readonly id: number
  readonly name: string
  readonly jobtitlename?: string
  readonly email?: string
}

/** Returns the employees in service whose names match the text. */
export function useSuggestedEmployees(text: string, enabled = true): readonly SuggestedEmployee[] {
  const [q] = useDebouncedValue(text.trim(), 200)
  const params = { retired: false, q: q || undefined, itemsPerPage: MAX_SUGGESTIONS, partial: true }
  const found = useQuery({
    queryKey: [EMPLOYEES_URL, 'suggested', q],
    queryFn: ({ signal }) =>
      callApi<Collection<SuggestedEmployee>>('GET', `${EMPLOYEES_URL}${queryString(params)}`, undefined, { signal }),
    enabled,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  return found.data?.['hydra:member'] ?? []
}
