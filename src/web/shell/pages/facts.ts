import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMaybeMe } from '../../api/me.ts'
import { urlQueryOptions } from '../../api/reading.ts'
import { toast } from '../../ui/toast.ts'

/** Public information about this portal. */
export interface PortalInfo {
  readonly provider: string
  readonly version: string
  readonly maintenance: string | null
  /** Whether a mail server is configured. Without one, e-mails are stored but never sent. */
  readonly mail: boolean
  readonly demo: readonly { readonly username: string; readonly who: string }[]
  readonly demoPassword: string | null
  readonly demoNote: string | null
}

export const portalInfoOptions = queryOptions({
  queryKey: ['facts'] as const,
  ...urlQueryOptions<PortalInfo>('/api/portal/public'),
  staleTime: 60_000,
})

export const usePortalInfo = () => useQuery(portalInfoOptions).data
/**
 * Returns a function that shows a toast. The toast says that an e-mail is being sent, or that it is not sent because no
 * mail server is configured.
 */
export function useEmailSentToast(): (what: string, whom: string) => void {
  const mail = usePortalInfo()?.mail ?? true
  return (what, whom) =>
    mail
      ? toast.info(`${what} is being sent to ${whom}`, 'safe')
      : toast.info(`${what} was not sent to ${whom} because no mail server is set up`, 'attention')
}

export const useProviderName = (): string => usePortalInfo()?.provider ?? ''

/**
 * Returns the brand name: the reseller's name for the reseller's own users and its clients' users. For all other users,
 * and before sign-in, returns the provider's name.
 */
export function useBrandName(): string {
  const provider = useProviderName()
  return useMaybeMe()?.brand ?? provider
}
