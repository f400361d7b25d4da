import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call, isOvertaken } from '#web/api/client.ts'
import { toast, undoable } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { notesOptions } from '../contacts/data.web.ts'
import { contactPerson } from './person.ts'

/** Another person at a lead's company, besides the contact person. */
export type Person = RecordOf<typeof contactPerson>

/** Other people of a lead; leavers come last. */
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

/** Changes of a person appear in the lead's timeline and in its count. */
export const refreshPeople = (queries: QueryClient, lead: number): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [contactPerson.url] }),
    queries.invalidateQueries({ queryKey: [contact.url] }),
    queries.invalidateQueries({ queryKey: notesOptions(lead).queryKey }),
  ])

/** Runs an action on a person with a toast, and with undo where possible. */
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
