import type { Iri } from '#kernel/fields.ts'
import { type Collection, callApi } from '../../api/client.ts'

/** Batch job that the server starts if a request would take too long. */
export interface BatchJobRecord {
  readonly '@id': Iri
  readonly '@type': 'Run'
  readonly id: number
  readonly state: string
  readonly done: number | null
  readonly refused: number | null
  readonly total: number | null
  readonly error: string | null
  readonly tally: Readonly<Record<string, number>>
  /** File that the batch job has written. */
  readonly file: { readonly '@id': string; readonly name: string } | null
}

const UNDERWAY = new Set(['queued', 'running', 'stopping', 'undoing'])

const PAUSE_MS = 1000

export const isBatchJobRecord = (answer: { readonly '@type': string }): answer is BatchJobRecord =>
  answer['@type'] === 'Run'

/**
 * Polls a batch job until it ends, and reports its progress. `signal` stops the polling early. Throws an ApiError if a
 * request fails.
 */
export async function followBatchJob(
  run: BatchJobRecord,
  tell: (run: BatchJobRecord) => void,
  signal?: AbortSignal,
): Promise<BatchJobRecord> {
  let now = run
  while (UNDERWAY.has(now.state) && !signal?.aborted) {
    tell(now)
    await new Promise((over) => setTimeout(over, PAUSE_MS))
    now = await callApi<BatchJobRecord>('GET', run['@id'], undefined, signal ? { signal } : {})
  }
  return now
}

type Of = Pick<BatchJobRecord, '@id'>

export const requestJobStop = (run: Of): Promise<unknown> => callApi('POST', `${run['@id']}/stop`, {})

/** Resumes a batch job that was stopped or that failed. */
export const requestJobResume = (run: Of): Promise<unknown> => callApi('POST', `${run['@id']}/resume`, {})

export const requestJobUndo = (run: BatchJobRecord): Promise<BatchJobRecord> =>
  callApi<BatchJobRecord>('POST', `${run['@id']}/undo`, {})

/** Item rejected by a batch job: its line number, its title and the reason. */
export interface BatchJobRejection {
  readonly line: number
  readonly about: string
  readonly reason: string
}

/** Loads the first hundred rejections of a batch job. */
export const loadBatchJobRejections = async (
  run: Pick<BatchJobRecord, '@id' | 'id'>,
): Promise<readonly BatchJobRejection[]> =>
  (
    await callApi<Collection<BatchJobRejection>>(
      'GET',
      `${run['@id'].replace(/runs\/\d+$/, 'run_refusals')}?run=${run.id}&itemsPerPage=100`,
    )
  )['hydra:member']
