import { queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { document } from '../types/document.ts'
import type { TemplateChange } from './three-way.ts'

/** Updates of a document's template; `template` is null if there are none. */
export interface TemplateUpdates {
  readonly template: {
    readonly '@id': string
    readonly title: string
    readonly from: number
    readonly to: number
    readonly reason: string
  } | null
  /** ID of the draft that would receive the updates; null if they would start the next revision. */
  readonly draft?: number | null
  readonly changes: readonly TemplateChange[]
}

export const templateUpdatesQueryOptions = (id: number) =>
  queryOptions({
    queryKey: [document.url, 'improvements', id] as const,
    queryFn: ({ signal }) =>
      callApi<TemplateUpdates>('GET', `${document.url}/${id}/improvements`, undefined, { signal }),
  })
