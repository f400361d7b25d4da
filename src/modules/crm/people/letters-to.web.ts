import { useQuery } from '@tanstack/react-query'
import { leadOptions } from '../contacts/data.web.ts'
import { mailTo } from '../contacts/mail-to.ts'
import { peopleOptions } from './data.web.ts'
import { personName } from './person.ts'

/** A person at a lead's company with an e-mail address. */
export interface Addressee {
  readonly email: string
  readonly who: string
}

/** The contact person and current colleagues with an e-mail address. */
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
