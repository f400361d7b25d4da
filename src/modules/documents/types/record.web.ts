import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { can, canRunActionInState, isBlockedByImpersonation } from '#kernel/can.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { packState } from '#kernel/packs.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { listQueryOptions, recordQueryOptions, useApiRecord } from '#web/api/resources.ts'
import { TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import type { ChangeCategory } from './document.ts'
import { documentPrint, documentSending, seal, signature } from './document.ts'
import { wasInForce } from './in-force.ts'
import { type DocumentKind, documentRecordTitle } from './kind.ts'
import type { DocumentState } from './transitions.ts'

/** A document of any type on screen; the type's own fields are accessed by name. */
export interface DocumentRecord extends Values {
  readonly '@id': string
  readonly id: number
  readonly documentNumber: string
  readonly revision: number
  readonly client: unknown
  readonly state: DocumentState
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
  readonly change: ChangeCategory | null
  readonly reviewDue: string | null
  readonly reviewAsked: string | null
  readonly signatures: number | null
  readonly asked: number
  readonly missing: number
  readonly carried: number
  readonly seal: string | null
  readonly audience: readonly string[]
  readonly origin: string | null
  /** True until the server has responded; no actions are available until then. */
  readonly underway?: boolean
}

export const documentTitleOrUntitled = (kind: DocumentKind, record: Values): string =>
  documentRecordTitle(kind, record) || `Untitled ${kind.noun}`

/** Returns the displayed number of a document. Clients see no numbers for provider templates. */
export const displayedDocumentNumber = (
  actor: Pick<Actor, 'clientId'>,
  record: Values & Partial<DocumentRecord>,
): string =>
  record.isTemplate && clientIdOf(record) === PROVIDER_CLIENT_ID && actor.clientId !== PROVIDER_CLIENT_ID
    ? 'Template'
    : (record.documentNumber ?? '')

/** Returns the client ID of a record. Users outside the provider get undefined for templates. */
export function clientIdOf(record: Values): number | undefined {
  const of = record.client
  if (of === null) return PROVIDER_CLIENT_ID
  const iri = typeof of === 'string' ? of : (of as { '@id'?: string } | null)?.['@id']
  return iri === undefined ? undefined : Number(idFromIri(client, iri))
}

/** Loads a record by the last segment of the URL path. */
export function useDocumentRecord(kind: DocumentKind, slug: string | undefined) {
  const found = useApiRecord(kind.resource, slug)
  return { ...found, record: found.data as unknown as DocumentRecord | undefined }
}

/** Returns the actions that the user may take on a document in its current state. */
export function documentPermissions(kind: DocumentKind, actor: Actor, record: DocumentRecord) {
  const clientId = clientIdOf(record) ?? -1
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
    // A rejected revision is retired, but the next revision starts from it.
    revise:
      own &&
      canRunActionInState(actor, 'revise', kind.resource, record.state) &&
      (!record.retired || record.state === 'rejected'),
    withdraw: act('withdraw'),
    // A rejected revision is already retired.
    retire: own && !record.current && record.state !== 'rejected' && (record.state !== 'current' || decides),
    /** True if the user may mark the document as reviewed and set the next review date. */
    review: own && decides,
    copy: open && hasRole(actor, kind.roles.authors),
    copyTo: kind.pack === 'safety' && hasRole(actor, TEMPLATE_MANAGER_ROLES),
    send:
      open &&
      !kind.readerGroup &&
      clientId === actor.clientId &&
      !record.retired &&
      record.state !== 'draft' &&
      hasRole(actor, kind.roles.authors),
    sign: isSigned && can(actor, 'create', signature),
    /** True if only impersonation prevents the user from signing. */
    signInPerson: isSigned && isBlockedByImpersonation(actor, 'create', signature),
  }
}

/** Returns a function that refetches all displayed data of a document after a change. */
export function useRefetchDocument(kind: DocumentKind) {
  const queries = useQueryClient()
  return (record?: { readonly id: number }) => {
    if (record) queries.setQueryData(recordQueryOptions(kind.resource, record.id).queryKey, record as never)
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
  /** ETag of the loaded record. The action is rejected if the record has changed since. */
  readonly etag?: string | null
}

/** Runs a lifecycle action. Returns the changed document, or the new draft for `revise`. */
export function useDocumentAction(kind: DocumentKind) {
  const refresh = useRefetchDocument(kind)
  return useMutation({
    mutationFn: ({ id, action, input = {}, etag }: Acting) =>
      callApi<DocumentRecord>('POST', `${iriOf(kind.resource, id)}/${action}`, input, etag ? { ifMatch: etag } : {}),
    onSuccess: (record) => void refresh(record),
    onError: () => void refresh(),
  })
}

/** Makes the changes that a completed revision allows, such as marking it as reviewed or retiring it. */
export function useUpdateCompletedDocument(kind: DocumentKind) {
  const refresh = useRefetchDocument(kind)
  return useMutation({
    mutationFn: ({ id, values }: { id: number; values: Values }) =>
      callApi<DocumentRecord>('PUT', iriOf(kind.resource, id), values, { lasting: true }),
    onSuccess: (record) => void refresh(record),
    onError: () => void refresh(),
  })
}

/** Loads the initial values for a new document. Their IRI and JSON-LD context are omitted. */
export async function loadDocumentPrefill(url: string): Promise<Values> {
  const { '@id': _, '@context': __, ...model } = await callApi<Record<string, unknown>>('GET', url)
  return model
}

/** Returns the query for the revisions of a document number, newest first. */
export const revisionsQueryOptions = (kind: DocumentKind, id: number) =>
  queryOptions({
    queryKey: [kind.resource.url, 'list', 'revisions', id] as const,
    queryFn: ({ signal }) =>
      callApi<Collection<DocumentRecord>>('GET', `${kind.resource.url}/revision/${id}`, undefined, { signal }),
  })

/**
 * Loads the revisions of a document number. A first revision needs no request, so the page and its revisions render
 * together.
 */
export const useRevisions = (kind: DocumentKind, record: DocumentRecord | undefined) =>
  useQuery({ ...revisionsQueryOptions(kind, record?.id ?? 0), enabled: (record?.revision ?? 1) > 1 })

/** Loads the revision of the same document number that was previously in force. */
export function usePreviousRevision(kind: DocumentKind, record: DocumentRecord, enabled = true) {
  const found = useQuery({ ...revisionsQueryOptions(kind, record.id), enabled })
  return found.data?.['hydra:member'].find((r) => r.revision < record.revision && wasInForce(r))
}

export function useExistingDraft(kind: DocumentKind, record: DocumentRecord, enabled = true) {
  const { documentNumber } = record
  const found = useQuery({
    ...listQueryOptions(kind.resource, { documentNumber, client: clientIdOf(record), state: 'draft', retired: false }),
    enabled,
  })
  return (found.data?.['hydra:member'] as unknown as DocumentRecord[] | undefined)?.find(
    (r) => r.documentNumber === documentNumber,
  )
}
