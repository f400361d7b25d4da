import { useQuery } from '@tanstack/react-query'
import { leadQueryOptions } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { leadPeopleQueryOptions } from './data.web.ts'
import { personName } from './person.ts'

/** A person at a lead's company to whom e-mails can be sent. */
export interface PersonAddressee {
  readonly email: string
  readonly who: string
}

/**
 * Returns the people at a lead's company who have an e-mail address: the contact person, and other people who still
 * work there.
 */
export function usePersonAddressees(lead: number | undefined): readonly PersonAddressee[] {
  const enabled = lead !== undefined
  const main = useQuery({ ...leadQueryOptions(lead ?? 0), enabled }).data
  const others = useQuery({ ...leadPeopleQueryOptions(lead ?? 0), enabled }).data ?? []
  const all = [
    ...(main ? [{ email: usableEmail(main.email), who: [main.name, main.jobTitle] }] : []),
    ...others.filter((p) => !p.left).map((p) => ({ email: usableEmail(p.email), who: [personName(p), p.jobTitle] })),
  ]
  return all.flatMap(({ email, who }) => (email ? [{ email, who: who.filter(Boolean).join(', ') }] : []))
}
