import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { queryString } from '#web/api/client.ts'
import { ANY_DOCUMENT_APPROVER_ROLES, ANY_DOCUMENT_AUTHOR_ROLES, DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentState } from '../types/transitions.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'

export interface DashboardDocument {
  readonly id: number
  readonly kind: string
  readonly documentNumber: string
  readonly revision: number
  readonly title: string
  readonly author: string | null
  readonly state: DocumentState
  readonly updatedAt: string
  readonly reviewDue: string | null
  readonly decisionNote: string | null
  readonly asked: number
  readonly missing: number
}

/** A list of documents that require action by a user. */
export interface DocumentWorkList {
  readonly name: 'approve' | 'sign' | 'review' | 'finish' | 'awaited' | 'improved'
  readonly title: string
  readonly url: string
}

const SHOWN_DOCUMENTS = 6
const SOON_DAYS = 30
const MAX_IMPROVED_TEMPLATES = 50

/**
 * Returns a user's work lists for a day, such as `2026-03-01`. Returns an empty list for provider users, because they
 * have no documents of their own.
 */
export function documentWorkLists(actor: Actor, today: string): DocumentWorkList[] {
  if (actor.clientId === PROVIDER_CLIENT_ID) return []
  const soon = Temporal.PlainDate.from(today).add({ days: SOON_DAYS }).toString()
  const own = { client: actor.clientId, itemsPerPage: SHOWN_DOCUMENTS }
  const toApprove = `${document.url}/to_approve${queryString({ itemsPerPage: SHOWN_DOCUMENTS, 'order[updatedAt]': 'asc' })}`
  const due = `${document.url}${queryString({ ...own, current: true, 'reviewDue[before]': soon, 'order[reviewDue]': 'asc' })}`
  const mine = queryString({ itemsPerPage: SHOWN_DOCUMENTS, 'order[updatedAt]': 'desc' })
  const forEverybody = `${document.url}/to_sign${queryString({ itemsPerPage: SHOWN_DOCUMENTS, 'order[updatedAt]': 'desc', asked: false })}`
  return [
    ...(hasRole(actor, ANY_DOCUMENT_APPROVER_ROLES)
      ? [{ name: 'approve', title: 'Awaiting my approval', url: toApprove } as const]
      : []),
    ...(hasRole(actor, 'ROLE_EMPLOYEE')
      ? [{ name: 'sign', title: 'Documents for all readers to sign', url: forEverybody } as const]
      : []),
    ...(hasRole(actor, ANY_DOCUMENT_AUTHOR_ROLES)
      ? ([
          { name: 'review', title: 'Reviews due', url: due },
          { name: 'awaited', title: 'Signatures I’ve requested', url: `${document.url}/awaited${mine}` },
          { name: 'finish', title: 'To finish', url: `${document.url}/to_finish${mine}` },
        ] as const)
      : []),
    ...(hasRole(actor, DOCUMENT_AUTHOR_ROLES) && packState(actor, 'safety') !== 'none'
      ? ([
          {
            name: 'improved',
            title: 'Template updates',
            url: `${document.url}/improved${queryString({ itemsPerPage: MAX_IMPROVED_TEMPLATES })}`,
          },
        ] as const)
      : []),
  ]
}

/** Returns the path to work on a document: the editor for a draft, otherwise the document's page. */
export function documentWorkPath(
  kinds: readonly DocumentTypeInfo[],
  row: Pick<DashboardDocument, 'kind' | 'state' | 'id'>,
): string {
  const screens = kinds.find((k) => k.kind === row.kind)?.screens
  return screens && row.state === 'draft' ? `${screens.update}/${row.id}` : documentViewPath(kinds, row)
}

/** Returns the path of a document's page, regardless of the document's state. */
export function documentViewPath(
  kinds: readonly DocumentTypeInfo[],
  row: Pick<DashboardDocument, 'kind' | 'id'>,
): string {
  const screens = kinds.find((k) => k.kind === row.kind)?.screens
  return screens ? `${screens.list}/view/${row.id}` : '/dashboard'
}

const isLate = (row: DashboardDocument, today: string) => !!row.reviewDue && row.reviewDue < today

function narrowed(
  name: Exclude<DocumentWorkList['name'], 'improved'>,
  of: readonly DashboardDocument[],
  username: string,
  today: string,
) {
  switch (name) {
    case 'approve':
      return { state: 'complete' }
    case 'sign':
      return { state: 'current' }
    case 'awaited':
      return { waiting: true }
    case 'review':
      return { due: of.some((row) => isLate(row, today)) ? 'late' : 'soon' }
    case 'finish':
      return of.some((row) => row.state === 'draft')
        ? { state: 'draft', q: username }
        : { state: 'rejected', q: username }
  }
}

/**
 * Returns links to the complete lists, one for each document type in the given rows, such as `Risk assessments` →
 * `…?state=complete`.
 */
export function documentListLinks(
  kinds: readonly DocumentTypeInfo[],
  name: DocumentWorkList['name'],
  rows: readonly DashboardDocument[],
  username: string,
  today: string,
): { label: string; to: string }[] {
  // No list page has a filter for template updates, so the dashboard shows all these documents.
  if (name === 'improved') return []
  return kinds.flatMap(({ kind, nav, screens }) => {
    const of = rows.filter((row) => row.kind === kind)
    const to = `${screens.list}${queryString(narrowed(name, of, username, today))}`
    return of.length ? [{ label: nav.title, to }] : []
  })
}
