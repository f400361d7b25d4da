import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call, isOvertaken } from '#web/api/client.ts'
import { toast, undoable } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { notesOptions } from '../contacts/data.web.ts'
import { contactPerson } from './person.ts'

/** Somebody at a lead's company, besides whom to ask for. */
export type Person = RecordOf<typeof contactPerson>

/** The others of a lead: those who have left come last. */
export const peopleOptions = (lead: number) =>
  queryOptions({
    queryKey: [contactPerson.url, 'list', 'of', lead] as const,
    queryFn: ({ signal }) =>
      call<Collection<Person>>(
        'GET',
        `${contactPerson.url}?contact=${lead}&retired=false&pagination=false`,
        undefined,
        { signal },
      ),
    select: (answer: Collection<Person>) => answer['hydra:member'],
  })

/** A change of somebody is told in the lead's timeline, and counted on the lead. */
export const refreshPeople = (queries: QueryClient, lead: number): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [contactPerson.url] }),
    queries.invalidateQueries({ queryKey: [contact.url] }),
    queries.invalidateQueries({ queryKey: notesOptions(lead).queryKey }),
  ])

/** Does something with somebody and says so; with a way back from what they have become, where there is one. */
export function useWithPerson(lead: number) {
  const queries = useQueryClient()
  const refresh = () => refreshPeople(queries, lead)
  const orLook = (e: unknown) => {
    if (isOvertaken(e)) void refresh()
    throw e
  }
  return async function run(
    message: string,
    does: () => Promise<Person>,
    back: (made: Person) => (() => Promise<unknown>) | undefined,
  ) {
    try {
      const undo = back(await does().catch(orLook))
      await refresh()
      if (undo) undoable({ message, undo: () => undo().catch(orLook).then(refresh) })
      else toast.info(message)
    } catch (e) {
      toast.failed(e, () => void run(message, does, back))
    }
  }
}
