import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { idAtEnd } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { LazyKind } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { useRefetchDocument } from '../types/record.web.ts'
import { defineToSignList, type ItemToSign, type ToSignList } from '../types/to-sign.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { signOff, signOffPerson } from './sign-off.ts'

export type RequestedSignature = RecordOf<typeof signOffPerson>

/** Outstanding signatures requested from the user, first due first. */
const OWN_ASKED = `${signOffPerson.url}/mine`

const ownList = <T>(url: string) => ({
  queryKey: [url.replace('/mine', ''), 'list', 'mine'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
})

/** The same, fetched. */
export const useOwnRequestedSignatures = (enabled = true) =>
  useQuery({ ...ownList<RequestedSignature>(OWN_ASKED), enabled })

/** Everything the user must sign, of any type, first due first. */
export function useToSign(kinds: readonly LazyKind[], enabled = true) {
  const lists: readonly ToSignList[] = [papersToSign(kinds), ...kinds.flatMap(({ toSign }) => toSign ?? [])]
  const answers = useQueries({
    // Refetched on mount, as it may have been signed elsewhere.
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
  defineToSignList<RequestedSignature>(
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

/** Path where it is read and signed. */
function placeOfAsked(kinds: readonly DocumentTypeInfo[], { document }: Pick<RequestedSignature, 'document'>): string {
  const screens = kinds.find((k) => k.kind === document?.kind)?.screens
  return screens && document ? `${screens.list}/view/${idAtEnd(document['@id'])}` : '/dashboard'
}

export function useRefetchSignatures(kind: DocumentKind) {
  const queries = useQueryClient()
  const refresh = useRefetchDocument(kind)
  return () =>
    Promise.all([refresh(), ...[signOff, signOffPerson].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))])
}

const signatoryUserId = ({ user }: Pick<RecordOf<typeof signOffPerson>, 'user'>): number => idAtEnd(user?.['@id']) ?? 0

/** A person who can be asked to sign. */
export interface PotentialSignatory {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly roles: readonly string[]
}

/** Users of the company who read documents, by name; with a document, only its readers. */
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

/** Signature status of all people asked to sign a document. */
export const useSignatories = (record: Pick<DocumentRecord, 'id'>) =>
  useList(signOffPerson, { document: iriOf(document, record.id), pagination: false })

/** Adds people to the selection or removes them. */
export function updateSelection(chosen: ReadonlySet<number>, ids: readonly number[], on: boolean): ReadonlySet<number> {
  const next = new Set(chosen)
  for (const id of ids)
    if (on) next.add(id)
    else next.delete(id)
  return next
}

/** Sends an action about people to each of their requests, then refetches once. */
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
    // Some requests may have succeeded before one was refused.
    onSettled: () => refresh(),
  })
}

/** Sends a sign-off request and refetches the document. */
export function useSignOffCall(kind: DocumentKind) {
  const refresh = useRefetchSignatures(kind)
  return useMutation({
    mutationFn: ({ url, method = 'POST', body }: { url: string; method?: 'POST' | 'PUT'; body: object }) =>
      callApi<unknown>(method, url, body),
    onSuccess: () => refresh(),
  })
}
