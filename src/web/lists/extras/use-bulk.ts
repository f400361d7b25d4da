import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type BulkAction, canUndoBulkAction } from '#kernel/bulk.ts'
import type { Resource } from '#kernel/resource.ts'
import { callApi, type QueryParams, queryString } from '../../api/client.ts'
import { createIdempotencyKeys } from '../../api/idempotency.ts'
import { showUndoToast, toast } from '../../ui/toast.ts'
import { describeBulkResult } from './bulk-words.ts'
import {
  type BatchJobRecord,
  followBatchJob,
  isBatchJobRecord,
  loadBatchJobRejections,
  requestJobUndo,
} from './runs.ts'

/** Record rejected by a bulk action, with the reason. */
export interface BulkRejection {
  readonly id: number
  readonly title: string | null
  readonly message: string
}

interface BulkResult {
  readonly '@type': 'BulkResult'
  readonly done: readonly number[]
  readonly unchanged: readonly number[]
  readonly refused: readonly BulkRejection[]
  readonly undo: string | null
  /** Previous values of the changed field, with the IDs of the records that had each value. */
  readonly former: readonly { readonly value: unknown; readonly ids: readonly number[] }[]
}

/** Result of a bulk action, with the rejected records. */
export interface BulkOutcome {
  readonly sentence: string
  readonly refusals: readonly BulkRejection[]
}

/**
 * Records that a bulk action applies to: selected records by ID, or all records that match the list's query, with the
 * number shown to the person.
 */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly all: true; readonly count: number }

interface PendingBulk {
  readonly action: BulkAction
  /** The screen's own word for the action: "deleted". */
  readonly word: string | undefined
  readonly which: BulkTarget
  /** New value of the changed field, as text. */
  readonly to?: string | undefined
  /** Query parameters of the list. */
  readonly params: QueryParams
  readonly input?: Readonly<Record<string, unknown>>
}

/**
 * Performs an action on many records of a list. The result is shown in a toast, with Undo if possible. Errors are also
 * shown in a toast.
 */
export function useBulkAction(r: Resource) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [run, setRun] = useState<BatchJobRecord>()
  const keys = useRef(createIdempotencyKeys())
  const left = useRef<AbortController>(undefined)
  useEffect(() => () => left.current?.abort(), [])
  const refresh = () => queries.invalidateQueries({ queryKey: [r.url] })
  const post = (body: Readonly<Record<string, unknown>>, params: QueryParams) =>
    callApi<BulkResult | BatchJobRecord>('POST', `${r.url}/bulk${queryString(params)}`, body, {
      idempotencyKey: keys.current.keyFor({ body, params }),
    })

  const again = async (action: string, ids: readonly number[]) => {
    await post({ action, ids }, {})
    keys.current.forget()
    await refresh()
  }
  /** Polls a batch job until it ends, and shows its progress. */
  const follow = async (begun: BatchJobRecord): Promise<BatchJobRecord> => {
    left.current = new AbortController()
    const over = await followBatchJob(begun, setRun, left.current.signal)
    setRun(undefined)
    return over
  }
  /** Restores the rows' previous values, with one request for each value. */
  const giveBack = async ({ name, change }: BulkAction, former: BulkResult['former']) => {
    for (const { value, ids } of former) {
      await post({ action: name, ids, input: { [change?.field ?? name]: value } }, {})
      keys.current.forget()
    }
    await refresh()
  }
  const settle = async (
    answer: BulkResult | BatchJobRecord,
    { action, word, to }: PendingBulk,
  ): Promise<BulkOutcome> => {
    keys.current.forget()
    if (!isBatchJobRecord(answer)) {
      const { done, unchanged, refused, undo, former } = answer
      const counts = { done: done.length, unchanged: unchanged.length, refused: refused.length }
      const takeBack = !done.length
        ? undefined
        : undo
          ? () => again(undo, done)
          : former.length
            ? () => giveBack(action, former)
            : undefined
      return tell(describeBulkResult(action, word, counts, to), refused, takeBack)
    }
    const over = await follow(answer)
    const counts = { done: over.done ?? 0, unchanged: over.tally.unchanged ?? 0, refused: over.refused ?? 0 }
    const refused = counts.refused ? await loadBatchJobRejections(over) : []
    const refusals = refused.map(({ line, about, reason }) => ({ id: line, title: about || null, message: reason }))
    const told = describeBulkResult(action, word, counts, to)
    const sentence =
      over.state === 'failed' ? `${told} The job stopped early. ${over.error ?? 'Something went wrong.'}` : told
    const takeBack =
      canUndoBulkAction(action) && counts.done ? () => requestJobUndo(over).then(follow).then(refresh) : undefined
    return tell(sentence, refusals, takeBack)
  }
  const start = async (asked: PendingBulk): Promise<BulkOutcome | undefined> => {
    const { action, which, params, input } = asked
    setBusy(true)
    try {
      const answer = await post({ action: action.name, ...which, ...(input ? { input } : {}) }, params)
      const outcome = await settle(answer, asked)
      // The refresh is not awaited, so that the bar closes when the toast with Undo appears.
      void refresh()
      return outcome
    } catch (e) {
      toast.failed(e)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { start, busy, run }
}

/** Shows the result in a toast. The screen lists the rejected records. */
function tell(
  sentence: string,
  refusals: readonly BulkRejection[],
  undo: (() => Promise<unknown>) | undefined,
): BulkOutcome {
  if (undo) showUndoToast({ message: sentence, undo })
  else if (!refusals.length) toast.info(sentence, 'safe')
  return { sentence, refusals }
}
