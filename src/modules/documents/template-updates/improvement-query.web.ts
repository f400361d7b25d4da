import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/client.ts'
import { document } from '../types/document.ts'
import type { Improvement } from './three-way.ts'

/** What a document's template has been improved by; `template` is null where it has not. */
export interface Improved {
  readonly template: {
    readonly '@id': string
    readonly title: string
    readonly from: number
    readonly to: number
    readonly reason: string
  } | null
  /** The revision that is being written, which they would be taken into; null where the next one would be begun. */
  readonly draft?: number | null
  readonly changes: readonly Improvement[]
}

export const improvementsOptions = (id: number) =>
  queryOptions({
    queryKey: [document.url, 'improvements', id] as const,
    queryFn: ({ signal }) => call<Improved>('GET', `${document.url}/${id}/improvements`, undefined, { signal }),
  })
