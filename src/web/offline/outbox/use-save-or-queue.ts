import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { callApi } from '../../api/client.ts'
import { invalidateLists, recordQueryOptions } from '../../api/resources.ts'
import { placeholderForRequest, type RequestDescription } from '../requests.ts'
import { QUEUED_RESULT, type QueuedResult, sendOrQueue } from './outbox.ts'

interface SaveRequest {
  /** ID of the record to change. If not set, a record is created. */
  readonly id?: number | string
  readonly values: Values
  readonly key?: string
  /** Description of the request. A request without a description is never queued. */
  readonly description?: Omit<RequestDescription, 'about'> | undefined
  /** Previous values of the changed fields. */
  readonly base?: Values
  readonly by?: (as?: string) => Promise<unknown>
  /** Whether requests made before the record is created may refer to it, by the placeholder of `key`. */
  readonly shared?: boolean
}

/**
 * Creates or changes a record, or queues the request while offline. Requests that require a new proof of identity are
 * never queued.
 */
export function useSaveOrQueue<R extends Resource>(r: R) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      id,
      values,
      key,
      description,
      base,
      by,
      shared = false,
    }: SaveRequest): Promise<RecordOf<R> | QueuedResult> => {
      const [method, path] = id === undefined ? (['POST', r.url] as const) : (['PUT', iriOf(r, id)] as const)
      const options = key ? { idempotencyKey: key } : {}
      if (r.asksProof || !description) return callApi<RecordOf<R>>(method, path, values, { ...options, lasting: true })
      return sendOrQueue<RecordOf<R>>(method, path, values, {
        ...options,
        ...(base ? { base } : {}),
        ...(by ? { by } : {}),
        ...(shared ? { shared } : {}),
        description: { ...description, about: [path, ...(shared && key ? [placeholderForRequest(key)] : [])] },
      })
    },
    onSuccess: (saved) => {
      if (saved === QUEUED_RESULT) return undefined
      client.setQueryData(recordQueryOptions(r, saved.id).queryKey, saved as never)
      return invalidateLists(client, r)
    },
  })
}
