import { useQuery } from '@tanstack/react-query'
import { call } from '#web/api/client.ts'
import { contact } from '../contacts/contact.ts'

interface Locked {
  readonly locked: readonly { readonly number: string; readonly why: string }[]
}

/** Why numbers of a lead are locked until they are screened, by number; nothing where the provider does not screen. */
export function useLockedNumbers(lead: number, numbers: readonly string[]): ReadonlyMap<string, string> {
  const found = useQuery({
    queryKey: [contact.url, 'locked', lead, numbers] as const,
    queryFn: ({ signal }) => call<Locked>('GET', `${contact.url}/${lead}/locked-numbers`, undefined, { signal }),
    enabled: numbers.length > 0,
    staleTime: 60_000,
  }).data
  return new Map(found?.locked.map((l) => [l.number, l.why]))
}
