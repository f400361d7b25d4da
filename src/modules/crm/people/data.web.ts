import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi, isConflictError } from '#web/api/client.ts'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { leadNotesQueryOptions, leadQueryOptions } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { contactPerson, formatPersonName } from './person.ts'

/** A person at a lead's company other than the contact person. */
export type PersonRecord = RecordOf<typeof contactPerson>

/** Returns the query for a lead's other people. People who have left come last. */
export const leadPeopleQueryOptions = (lead: number) =>
  queryOptions({
    queryKey: [contactPerson.url, 'list', 'of', lead] as const,
    queryFn: ({ signal }) =>
      callApi<Collection<PersonRecord>>(
        'GET',
        `${contactPerson.url}?contact=${lead}&retired=false&pagination=false`,
        undefined,
        { signal },
      ),
    select: (answer: Collection<PersonRecord>) => answer['hydra:member'],
  })

/** Refetches a lead with its people, timeline and counts after a person has changed. */
export const refreshLeadPeople = (queries: QueryClient, lead: number): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [contactPerson.url] }),
    queries.invalidateQueries({ queryKey: [contact.url] }),
    queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead).queryKey }),
  ])

/** Returns a function that performs an action on a person, shows a message and, if possible, offers undo. */
export function usePersonAction(lead: number) {
  const queries = useQueryClient()
  const refresh = () => refreshLeadPeople(queries, lead)
  const orLook = (e: unknown) => {
    if (isConflictError(e)) void refresh()
    throw e
  }
  return async function run(
    message: string,
    does: () => Promise<PersonRecord>,
    back: (made: PersonRecord) => (() => Promise<unknown>) | undefined,
  ) {
    try {
      const undo = back(await does().catch(orLook))
      await refresh()
      if (undo) showUndoToast({ message, undo: () => undo().catch(orLook).then(refresh) })
      else toast.info(message)
    } catch (e) {
      toast.failed(e, () => void run(message, does, back))
    }
  }
}

/** A person at a lead's company who can receive e-mails. */
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
    ...others
      .filter((p) => !p.left)
      .map((p) => ({ email: usableEmail(p.email), who: [formatPersonName(p), p.jobTitle] })),
  ]
  return all.flatMap(({ email, who }) => (email ? [{ email, who: who.filter(Boolean).join(', ') }] : []))
}
