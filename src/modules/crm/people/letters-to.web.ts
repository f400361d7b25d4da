import { useQuery } from '@tanstack/react-query'
import { leadOptions } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { leadPeopleOptions } from './data.web.ts'
import { personName } from './person.ts'

/** A person at a lead's company to whom e-mails can be sent. */
export interface PersonAddressee {
  readonly email: string
  readonly who: string
}

/**
 * Returns the contact person and those of the lead's other people who still work there, if they have an e-mail address.
 */
export function usePersonAddressees(lead: number | undefined): readonly PersonAddressee[] {
  const enabled = lead !== undefined
  const main = useQuery({ ...leadOptions(lead ?? 0), enabled }).data
  const others = useQuery({ ...leadPeopleOptions(lead ?? 0), enabled }).data ?? []
  const all = [
    ...(main ? [{ email: usableEmail(main.email), who: [main.name, main.jobTitle] }] : []),
    ...others.filter((p) => !p.left).map((p) => ({ email: usableEmail(p.email), who: [personName(p), p.jobTitle] })),
  ]
  return all.flatMap(({ email, who }) => (email ? [{ email, who: who.filter(Boolean).join(', ') }] : []))
}
