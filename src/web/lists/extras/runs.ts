import type { Iri } from '#kernel/fields.ts'
import { type Collection, call } from '../../api/client.ts'

/** Batch job, returned where a request would take too long. */
export interface Run {
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

export const isRun = (answer: { readonly '@type': string }): answer is Run => answer['@type'] === 'Run'

/** Polls a batch job until it ends and reports its progress; `signal` ends polling early. Throws an ApiError. */
export async function followRun(run: Run, tell: (run: Run) => void, signal?: AbortSignal): Promise<Run> {
  let now = run
  while (UNDERWAY.has(now.state) && !signal?.aborted) {
    tell(now)
    await new Promise((over) => setTimeout(over, PAUSE_MS))
    now = await call<Run>('GET', run['@id'], undefined, signal ? { signal } : {})
  }
  return now
}

type Of = Pick<Run, '@id'>

export const stopRun = (run: Of): Promise<unknown> => call('POST', `${run['@id']}/stop`, {})
/** Resumes a batch job that was stopped or has failed. */
export const goOn = (run: Of): Promise<unknown> => call('POST', `${run['@id']}/resume`, {})
export const undoRun = (run: Run): Promise<Run> => call<Run>('POST', `${run['@id']}/undo`, {})

/** Record refused by a batch job: its number, its title and the reason. */
export interface RunRefusal {
  readonly line: number
  readonly about: string
  readonly reason: string
}

/** First hundred refusals of a batch job. */
export const refusalsOf = async (run: Pick<Run, '@id' | 'id'>): Promise<readonly RunRefusal[]> =>
  (
    await call<Collection<RunRefusal>>(
      'GET',
      `${run['@id'].replace(/runs\/\d+$/, 'run_refusals')}?run=${run.id}&itemsPerPage=100`,
    )
  )['hydra:member']
