import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { can, canRunActionInState, isBlockedByImpersonation } from '#kernel/can.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { packState } from '#kernel/packs.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { type Collection, call } from '#web/api/client.ts'
import { listOptions, oneOptions, useOne } from '#web/api/resources.ts'
import { AUTHORS, KEEPERS } from '../rights.ts'
import type { Change } from './changes.ts'
import { seal, signature } from './document.ts'
import { documentPrint } from './document-print.ts'
import { documentSending } from './document-sending.ts'
import { wasInForce } from './in-force.ts'
import { type DocumentKind, titleIn } from './kind.ts'
import type { State } from './states.ts'

/** A document of any kind as its screens know it; what its kind adds is there by name. */
export interface DocumentRecord extends Values {
  readonly '@id': string
  readonly id: number
  readonly documentNumber: string
  readonly revision: number
  readonly client: unknown
  readonly state: State
  readonly current: boolean
  readonly retired: boolean
  readonly reviewed: boolean
  readonly isTemplate: boolean
  readonly author: string | null
  readonly authorUsername: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
  readonly completedBy: string | null
  readonly approvedAt: string | null
  readonly decisionNote: string | null
  readonly endedBy: string | null
  readonly endedAt: string | null
  readonly change: Change | null
  readonly reviewDue: string | null
  readonly reviewAsked: string | null
  readonly signatures: number | null
  readonly asked: number
  readonly missing: number
  readonly carried: number
  readonly seal: string | null
  readonly audience: readonly string[]
  readonly origin: string | null
  /** Shown before the server has answered: nothing can be done with it yet. */
  readonly underway?: boolean
}

export const titleOf = (kind: DocumentKind, record: Values): string => titleIn(kind, record) || `Untitled ${kind.noun}`

/** A document's number as somebody reads it: to a client a template of the portal's is one, and no paper of their own. */
export const numberFor = (actor: Pick<Actor, 'clientId'>, record: Values & Partial<DocumentRecord>): string =>
  record.isTemplate && clientOf(record) === PROVIDER && actor.clientId !== PROVIDER
    ? 'Template'
    : (record.documentNumber ?? '')

/** Whose it is, as an id; templates come without a client to those outside the provider. */
export function clientOf(record: Values): number | undefined {
  const of = record.client
  if (of === null) return PROVIDER
  const iri = typeof of === 'string' ? of : (of as { '@id'?: string } | null)?.['@id']
  return iri === undefined ? undefined : Number(idFromIri(client, iri))
}

/** A record that is addressed by what stands behind the last slash. */
export function useRecord(kind: DocumentKind, slug: string | undefined) {
  const found = useOne(kind.resource, slug)
  return { ...found, record: found.data as unknown as DocumentRecord | undefined }
}

/** What this person may do with a document as it stands. */
export function mayOf(kind: DocumentKind, actor: Actor, record: DocumentRecord) {
  const clientId = clientOf(record) ?? -1
  const own = !record.underway && can(actor, 'update', kind.resource, { ...record, clientId })
  const open = packState(actor, kind.resource.pack) === 'active'
  const inForce = open && clientId === actor.clientId && record.current && !record.underway
  const isSigned = inForce && !record.isTemplate
  const decides = hasRole(actor, kind.transitions['move review'].may)
  const act = (name: string) => own && !record.retired && canRunActionInState(actor, name, kind.resource, record.state)
  return {
    write: own && record.state === 'draft' && !record.retired,
    complete: act('complete'),
    approve: act('approve'),
    reject: act('reject'),
    // A rejected revision is put away, and is what the next one begins from.
    revise:
      own &&
      canRunActionInState(actor, 'revise', kind.resource, record.state) &&
      (!record.retired || record.state === 'rejected'),
    withdraw: act('withdraw'),
    // What was rejected is put away already: the next revision is begun from it.
    retire: own && !record.current && record.state !== 'rejected' && (record.state !== 'current' || decides),
    /** Says that it was reviewed, and until when it holds. */
    review: own && decides,
    copy: open && hasRole(actor, AUTHORS),
    copyTo: hasRole(actor, KEEPERS),
    send: open && clientId === actor.clientId && !record.retired && record.state !== 'draft' && hasRole(actor, AUTHORS),
    sign: isSigned && can(actor, 'create', signature),
    /** They would sign it, but only work as the person. */
    signInPerson: isSigned && isBlockedByImpersonation(actor, 'create', signature),
  }
}

/** Everything that is shown of a document, read again after something was done to it. */
export function useRefresh(kind: DocumentKind) {
  const queries = useQueryClient()
  return (record?: { readonly id: number }) => {
    if (record) queries.setQueryData(oneOptions(kind.resource, record.id).queryKey, record as never)
    return Promise.all(
      [kind.resource, signature, seal, documentPrint, documentSending].map((r) =>
        queries.invalidateQueries({ queryKey: [r.url] }),
      ),
    )
  }
}

interface Acting {
  readonly id: number
  readonly action: string
  readonly input?: Values
  /** Of the record as it was looked at: refused where somebody has changed it since. */
  readonly etag?: string | null
}

/** One of the lifecycle's actions; answers the document as it then is, and for `revise` the new draft. */
export function useAct(kind: DocumentKind) {
  const refresh = useRefresh(kind)
  return useMutation({
    mutationFn: ({ id, action, input = {}, etag }: Acting) =>
      call<DocumentRecord>('POST', `${iriOf(kind.resource, id)}/${action}`, input, etag ? { ifMatch: etag } : {}),
    onSuccess: (record) => void refresh(record),
    // Somebody else may have been quicker: what stands is shown.
    onError: () => void refresh(),
  })
}

/** Changes that a completed revision takes too: reviewed, retired. */
export function useMark(kind: DocumentKind) {
  const refresh = useRefresh(kind)
  return useMutation({
    mutationFn: ({ id, values }: { id: number; values: Values }) =>
      call<DocumentRecord>('PUT', iriOf(kind.resource, id), values, { lasting: true }),
    onSuccess: (record) => void refresh(record),
    // Somebody else may have been quicker: what stands is shown.
    onError: () => void refresh(),
  })
}

/** A working model, to be saved as a new document: its own address is none of a document's. */
export async function modelAt(url: string): Promise<Values> {
  const { '@id': _, '@context': __, ...model } = await call<Record<string, unknown>>('GET', url)
  return model
}

/** The revisions of one number, the newest first. */
export const revisionsOptions = (kind: DocumentKind, id: number) =>
  queryOptions({
    queryKey: [kind.resource.url, 'list', 'revisions', id] as const,
    queryFn: ({ signal }) =>
      call<Collection<DocumentRecord>>('GET', `${kind.resource.url}/revision/${id}`, undefined, { signal }),
  })

/** The revisions of a number, of which there can be several only from the second on: what is told of them stands with the first picture. */
export const useRevisions = (kind: DocumentKind, record: DocumentRecord | undefined) =>
  useQuery({ ...revisionsOptions(kind, record?.id ?? 0), enabled: (record?.revision ?? 1) > 1 })

/** The revision of the number that was in force before a revision, if one ever was. */
export function useFormer(kind: DocumentKind, record: DocumentRecord, enabled = true) {
  const found = useQuery({ ...revisionsOptions(kind, record.id), enabled })
  return found.data?.['hydra:member'].find((r) => r.revision < record.revision && wasInForce(r))
}

/** The draft of a number that somebody is already writing. */
export function useDraftOf(kind: DocumentKind, record: DocumentRecord, enabled = true) {
  const { documentNumber } = record
  const found = useQuery({
    ...listOptions(kind.resource, { documentNumber, client: clientOf(record), state: 'draft', retired: false }),
    enabled,
  })
  return (found.data?.['hydra:member'] as unknown as DocumentRecord[] | undefined)?.find(
    (r) => r.documentNumber === documentNumber,
  )
}
