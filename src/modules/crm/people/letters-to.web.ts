import { useQuery } from '@tanstack/react-query'
import { leadOptions } from '../contacts/data.web.ts'
import { mailTo } from '../contacts/mail-to.ts'
import { peopleOptions } from './data.web.ts'
import { personName } from './person.ts'

/** Who of a lead's company can be written to. */
export interface Addressee {
  readonly email: string
  readonly who: string
}

/** Whom to ask for and the others who are still with the company, those with an address. */
export function useAddressees(lead: number | undefined): readonly Addressee[] {
  const enabled = lead !== undefined
  const main = useQuery({ ...leadOptions(lead ?? 0), enabled }).data
  const others = useQuery({ ...peopleOptions(lead ?? 0), enabled }).data ?? []
  const all = [
    ...(main ? [{ email: mailTo(main.email), who: [main.name, main.jobTitle] }] : []),
    ...others.filter((p) => !p.left).map((p) => ({ email: mailTo(p.email), who: [personName(p), p.jobTitle] })),
  ]
  return all.flatMap(({ email, who }) => (email ? [{ email, who: who.filter(Boolean).join(', ') }] : []))
}
