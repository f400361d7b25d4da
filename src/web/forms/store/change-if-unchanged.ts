import type { Fields } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue, pickValues } from '#kernel/forms/visible.ts'
import { type ApiCallOptions, ApiError, callApi, callApiWithEtag } from '../../api/client.ts'
import { withTimeout } from '../../api/with-timeout.ts'

const MAX_ATTEMPTS = 4
const CHANGED_MEANWHILE = 'Somebody else has changed this since you opened it. Nothing was saved.'

type Options = Pick<ApiCallOptions, 'as' | 'byItself'>

/** Returns the values shown on screen for the named fields, and for all other fields in the same groups. */
export function selectValuesToCompare(fields: Fields, record: Values, names: readonly string[]): Values {
  const wholes = new Set(names.flatMap((n) => fields[n]?.partOf ?? []))
  const beside = Object.keys(fields).filter((n) => wholes.has(fields[n]?.partOf ?? ''))
  return pickValues(record, [...new Set([...names, ...beside])])
}

/**
 * Returns options for saving fields. Fields in a group are always compared before saving; other fields are compared
 * only if the request was queued.
 */
export function conditionalSaveOptions(fields: Fields, path: string, record: Values, values: Values) {
  const names = Object.keys(values)
  const base = selectValuesToCompare(fields, record, names)
  const by = (as?: string) => changeRecordIfUnchanged(path, values, base, as === undefined ? {} : { as })
  return { base, ...(names.some((n) => fields[n]?.partOf) ? { by } : {}) }
}

/**
 * Changes fields of a record unless somebody else has changed these fields, or the fields compared with them, since
 * they were shown. A page sends only one change to a record at a time.
 */
export const changeRecordIfUnchanged = <T>(
  path: string,
  body: Values,
  base: Values,
  options: Options = {},
): Promise<T> =>
  inLine(path, async () => {
    for (let round = 1; ; round++) {
      const { body: there, etag } = await withTimeout((signal) =>
        callApiWithEtag<Values>('GET', path, undefined, { ...options, signal }),
      )
      const names = Object.keys(base)
      const overtaken = () =>
        new ApiError(412, CHANGED_MEANWHILE, [], 'precondition_failed', { theirs: pickValues(there, names) })
      const isStill = (name: string) => isSame(there[name], base[name]) || isOwn(path, name, base[name], there[name])
      if (!names.every((name) => name in body || isStill(name))) throw overtaken()
      if (Object.keys(body).every((name) => isSame(there[name], body[name]))) return there as T
      if (!names.every(isStill)) throw overtaken()
      try {
        const saved = await withTimeout((signal) =>
          callApi<Values>('PUT', path, body, { ...options, signal, ...(etag ? { ifMatch: etag } : {}) }),
        )
        remember(path, base, body, saved)
        return saved as T
      } catch (e) {
        // If another field of the record has changed, the values are compared again.
        if (!(e instanceof ApiError) || e.status !== 412 || round === MAX_ATTEMPTS) throw e
      }
    }
  })

/** Returns the values that somebody else has saved, if a change was refused because of them. */
export const savedMeanwhile = (error: unknown): Values | undefined =>
  error instanceof ApiError ? (error.more.theirs as Values | undefined) : undefined

const isSame = (a: unknown, b: unknown) => isSameValue(plain(a), plain(b))

/** Returns the IRI of a linked record even if the record is embedded, so that links are compared by IRI. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : value

interface Own {
  /** Value that this page has saved. */
  readonly is: unknown
  /** Values that may still be on screen before the response arrives: the previous value and the typed value. */
  readonly shown: readonly unknown[]
}
const own = new Map<string, Map<string, Own>>()

const isOwn = (path: string, name: string, shown: unknown, there: unknown): boolean => {
  const mine = own.get(path)?.get(name)
  return mine !== undefined && isSame(mine.is, there) && mine.shown.some((one) => isSame(one, shown))
}

function remember(path: string, base: Values, body: Values, saved: Values): void {
  const mine = own.get(path) ?? new Map<string, Own>()
  own.set(path, mine)
  for (const name of Object.keys(body)) mine.set(name, { is: saved[name], shown: [base[name], body[name]] })
}

const lines = new Map<string, Promise<unknown>>()
function inLine<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (lines.get(name) ?? Promise.resolve()).then(work)
  const over = turn.then(
    () => undefined,
    () => undefined,
  )
  lines.set(name, over)
  return turn
}
