import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMaybeMe } from '../../api/me.ts'
import { reading } from '../../api/reading.ts'
import { toast } from '../../ui/toast.ts'

/** What anybody may know of this portal. */
export interface Facts {
  readonly provider: string
  readonly version: string
  readonly maintenance: string | null
  /** Does it send e-mails? Where no mail server is set up they are kept, and reach nobody. */
  readonly mail: boolean
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
/** "… is on its way to ann@acme.example", or that it is not, as no mail server is set up. */
export function useOnItsWay(): (what: string, whom: string) => void {
  const mail = useFacts()?.mail ?? true
  return (what, whom) =>
    mail
      ? toast.info(`${what} is on its way to ${whom}`, 'safe')
      : toast.info(`${what} is not sent to ${whom}, as no mail server is set up here`, 'attention')
}

export const useProvider = (): string => useFacts()?.provider ?? ''

/** Whose portal it is to whoever looks: a reseller's, for its own people and its clients'; before somebody has signed in, the provider's. */
export function useBrandName(): string {
  const provider = useProvider()
  return useMaybeMe()?.brand ?? provider
}
