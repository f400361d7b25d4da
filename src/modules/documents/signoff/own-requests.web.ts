import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import type { ReadingProof } from '../signing/reading-questions.ts'
import { document } from '../types/document.ts'
import type { LazyDocumentType } from '../types/kind.web.ts'
import { defineItemsToSignList, type ItemsToSignList } from '../types/to-sign.ts'
import { documentToSign } from './requested-document.ts'
import { signOffPerson } from './sign-off.ts'

export type RequestedSignature = RecordOf<typeof signOffPerson>

/** URL of the list of outstanding signatures requested from the user, earliest due date first. */
const OWN_ASKED = `${signOffPerson.url}/mine`

const ownList = <T>(url: string) => ({
  queryKey: [url.replace('/mine', ''), 'list', 'mine'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
})

export const useOwnRequestedSignatures = (enabled = true) =>
  useQuery({ ...ownList<RequestedSignature>(OWN_ASKED), enabled })

/** Loads everything the user must sign, of any type, earliest due date first. */
export function useItemsToSign(kinds: readonly LazyDocumentType[], enabled = true) {
  const lists: readonly ItemsToSignList[] = [
    defineItemsToSignList<RequestedSignature>(OWN_ASKED, (asked) => documentToSign(kinds, asked)),
    ...kinds.flatMap(({ toSign }) => toSign ?? []),
  ]
  const answers = useQueries({
    // Refetched on mount, because something may have been signed elsewhere.
    queries: lists.map(({ url }) => ({ ...ownList<never>(url), enabled, refetchOnMount: 'always' as const })),
  })
  const all = answers.flatMap(({ data }, n) => data?.['hydra:member'].map((one) => lists[n]?.read(one)) ?? [])
  return {
    rows: all.filter((one) => one !== undefined).toSorted((a, b) => a.by.localeCompare(b.by)),
    isPending: enabled && answers.some((a) => a.isPending),
    error: answers.find((a) => a.error)?.error ?? null,
    refetch: () => void Promise.all(answers.map((a) => a.refetch())),
  }
}

/** Loads what the user has to prove before signing a document. */
export const readingProofQueryOptions = (id: number) =>
  queryOptions({
    queryKey: [document.url, 'questions', id],
    queryFn: ({ signal }) => callApi<ReadingProof>('GET', `${iriOf(document, id)}/questions`, undefined, { signal }),
  })
