import { z } from 'zod'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { QueryParams } from '#web/api/client.ts'
import type { FilterSpec } from '#web/lists/filters.ts'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { REVIEW_FILTER_OPTIONS } from '../review/due.web.tsx'
import { documentStatesFor } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import { DOCUMENT_STATES, DOCUMENT_STATUS_LABELS, type DocumentStatus } from '../types/transitions.ts'

const text = z.string().max(60).default('')
export const DOCUMENT_LIST_SCHEMA = listUrlSchema({
  deleted: retiredFilterSchema,
  state: z.enum(['', ...DOCUMENT_STATES, 'withdrawn']).default(''),
  due: z.enum(['', 'late', 'soon', 'reviewed', 'unreviewed']).default(''),
  waiting: z.enum(['', 'true']).default(''),
  templates: z.enum(['', 'own', 'system', 'none']).default(''),
  client: text,
  industry: text,
  risk: z.enum(['', 'high']).default(''),
  site: z.string().max(500).default(''),
  'substances.substance': text,
})

const TEMPLATES = [
  { value: 'own', label: 'Your templates' },
  { value: 'system', label: 'The portal’s templates' },
  { value: 'none', label: 'No templates' },
] as const

export const templateFilterParams = (which: string): QueryParams =>
  which === '' ? {} : { isTemplate: which !== 'none', ...(which === 'system' ? { client: PROVIDER_CLIENT_ID } : {}) }

/** Query parameters for a status, where they differ from the status name. */
const STATUS_QUERIES: Partial<Readonly<Record<DocumentStatus, Readonly<Record<string, string>>>>> = {
  withdrawn: { state: 'current', deleted: 'true' },
}

/**
 * Returns the filters of a document list. Users who can read only documents in force get no filters for state, review
 * and templates.
 */
export function documentFilters(kind: DocumentKind, actor: Actor, wide: boolean): FilterSpec[] {
  const writes = wide || hasRole(actor, kind.roles.authors)
  const standings: readonly DocumentStatus[] = [...documentStatesFor(kind), 'withdrawn']
  const state = {
    key: 'state',
    label: 'Status',
    options: standings.map((value) => ({
      value,
      label: DOCUMENT_STATUS_LABELS[value],
      ...(STATUS_QUERIES[value] ? { asks: STATUS_QUERIES[value] } : {}),
    })),
  }
  return [
    ...(writes ? [state, { key: 'due', label: 'Review', options: REVIEW_FILTER_OPTIONS }] : []),
    { key: 'waiting', label: 'Signatures', options: [{ value: 'true', label: 'Awaiting signatures' }] },
    ...(kind.pack === 'safety' ? ['industry'] : []),
    ...(writes ? [{ key: 'templates', label: 'Templates', options: TEMPLATES }] : []),
    ...(wide ? ['client'] : []),
    ...(writes ? ['deleted'] : []),
  ]
}
