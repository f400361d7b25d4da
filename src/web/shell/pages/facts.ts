import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMaybeMe } from '../../api/me.ts'
import { reading } from '../../api/reading.ts'

/** What anybody may know of this portal. */
export interface Facts {
  readonly provider: string
  readonly version: string
  readonly maintenance: string | null
  readonly demo: readonly { readonly username: string; readonly who: string }[]
  readonly demoPassword: string | null
  readonly demoNote: string | null
}

export const factsOptions = queryOptions({
  queryKey: ['facts'] as const,
  ...reading<Facts>('/api/portal/public'),
  staleTime: 60_000,
})

export const useFacts = () => useQuery(factsOptions).data
export const useProvider = (): string => useFacts()?.provider ?? ''

/** Whose portal it is to whoever looks: a reseller's, for its own people and its clients'; before somebody has signed in, the provider's. */
export function useBrandName(): string {
  const provider = useProvider()
  return useMaybeMe()?.brand ?? provider
}
