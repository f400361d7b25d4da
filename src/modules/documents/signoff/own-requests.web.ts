import { useQueries, useQuery } from '@tanstack/react-query'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import type { LazyDocumentType } from '../types/kind.web.ts'
import { defineItemsToSignList, type ItemsToSignList, type ItemToSign } from '../types/to-sign.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
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
  const lists: readonly ItemsToSignList[] = [papersToSign(kinds), ...kinds.flatMap(({ toSign }) => toSign ?? [])]
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

const papersToSign = (kinds: readonly DocumentTypeInfo[]) =>
  defineItemsToSignList<RequestedSignature>(
    OWN_ASKED,
    (asked): ItemToSign => ({
      key: `paper ${asked.id}`,
      document: asked.document?.id,
      to: placeOfAsked(kinds, asked),
      title: asked.document?.title || `Untitled ${asked.document?.documentNumber ?? ''}`,
      detail: `${asked.document?.documentNumber ?? ''} revision ${asked.document?.revision ?? ''}${
        asked.revision === null ? '' : `, changed since you signed revision ${asked.revision}`
      }`,
      by: asked.due,
    }),
  )

/** Returns the path of the page to read and sign the document, or of the dashboard if the document has no page. */
function placeOfAsked(kinds: readonly DocumentTypeInfo[], { document }: Pick<RequestedSignature, 'document'>): string {
  const screens = kinds.find((k) => k.kind === document?.kind)?.screens
  return screens && document ? `${screens.list}/view/${idFromAnyIri(document['@id'])}` : '/dashboard'
}
