import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, useRefetchDocument } from '../types/record.web.ts'
import type { RequestedSignature } from './own-requests.web.ts'
import { signOff, signOffPerson } from './sign-off.ts'

const signatoryUserId = ({ user }: Pick<RecordOf<typeof signOffPerson>, 'user'>): number =>
  idFromAnyIri(user?.['@id']) ?? 0

export interface PotentialSignatory {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly roles: readonly string[]
}

/** Loads the company's users who can read documents, sorted by name. For a given document, loads only its readers. */
export const usePotentialSignatories = (of?: Pick<DocumentRecord, 'id'>) =>
  useQuery({
    queryKey: [signOff.url, 'people', of?.id],
    queryFn: ({ signal }) =>
      callApi<Collection<PotentialSignatory>>(
        'GET',
        `${signOff.url}/people${queryString({ document: of?.id })}`,
        undefined,
        {
          signal,
        },
      ),
  })

/** Loads the signature status of all people asked to sign a document. */
export const useSignatories = (record: Pick<DocumentRecord, 'id'>) =>
  useList(signOffPerson, { document: iriOf(document, record.id), pagination: false })

/** Loads the signatures of exactly this revision. */
export const useSignaturesOf = (record: Pick<DocumentRecord, 'id'>) =>
  useList(signature, { document: iriOf(document, record.id), pagination: false })

/** Returns the selection with people added or removed. */
export function updateSelectedPeople(
  chosen: ReadonlySet<number>,
  ids: readonly number[],
  on: boolean,
): ReadonlySet<number> {
  const next = new Set(chosen)
  for (const id of ids)
    if (on) next.add(id)
    else next.delete(id)
  return next
}

/** Returns a function that refetches a document with its signatures and signature requests. */
export function useRefetchSignatures(kind: DocumentKind) {
  const queries = useQueryClient()
  const refresh = useRefetchDocument(kind)
  return () =>
    Promise.all([refresh(), ...[signOff, signOffPerson].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))])
}

/** Sends an action for selected people to each of their signature requests, then refetches once. */
export function useSignatoryAction(kind: DocumentKind) {
  const refresh = useRefetchSignatures(kind)
  return useMutation({
    mutationFn: async ({
      path,
      people,
      more = {},
    }: {
      path: string
      people: readonly RequestedSignature[]
      more?: object
    }) => {
      for (const [request, of] of Map.groupBy(people, (p) => String(p.request)))
        await callApi<unknown>('POST', `${request}/${path}`, { people: of.map(signatoryUserId), ...more })
    },
    // Refetches even after an error, because some requests may have succeeded before one was rejected.
    onSettled: () => refresh(),
  })
}

/** Returns the mutation that sends a sign-off request and then refetches the document's signatures. */
export function useSignOffMutation(kind: DocumentKind) {
  const refresh = useRefetchSignatures(kind)
  return useMutation({
    mutationFn: ({ url, method = 'POST', body }: { url: string; method?: 'POST' | 'PUT'; body: object }) =>
      callApi<unknown>(method, url, body),
    onSuccess: () => refresh(),
  })
}
