import type { Fields } from '#kernel/fields.ts'
import { isSameValue, pickValues } from '#kernel/forms/same.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError, answer, type CallOptions, call } from '../../api/client.ts'
import { patiently } from '../../api/patiently.ts'

const ROUNDS = 4
const CHANGED = 'Somebody else has changed this since. Nothing was saved.'

type Options = Pick<CallOptions, 'as' | 'byItself'>

/** Fields of a record as they were shown, with those that they are a part of something with. */
export function asShown(fields: Fields, record: Values, names: readonly string[]): Values {
  const wholes = new Set(names.flatMap((n) => fields[n]?.partOf ?? []))
  const beside = Object.keys(fields).filter((n) => wholes.has(fields[n]?.partOf ?? ''))
  return pickValues(record, [...new Set([...names, ...beside])])
}

/** How a change of fields is delivered: what is a part of something is compared at once, all else only after it had to wait. */
export function ifAsShown(fields: Fields, path: string, record: Values, values: Values) {
  const names = Object.keys(values)
  const base = asShown(fields, record, names)
  const by = (as?: string) => changeSeen(path, values, base, as === undefined ? {} : { as })
  return { base, ...(names.some((n) => fields[n]?.partOf) ? { by } : {}) }
}

/**
 * Changes fields of a record, unless somebody else has changed them, or what is compared with them, since they were shown.
 * The changes that this page makes to one record are made one after the other.
 */
export const changeSeen = <T>(path: string, body: Values, base: Values, options: Options = {}): Promise<T> =>
  inLine(path, async () => {
    for (let round = 1; ; round++) {
      const { body: there, etag } = await patiently((signal) =>
        answer<Values>('GET', path, undefined, { ...options, signal }),
      )
      const names = Object.keys(base)
      const isStill = (name: string) => isSame(there[name], base[name]) || isOwn(path, name, base[name], there[name])
      if (!names.every((name) => name in body || isStill(name))) throw overtaken()
      if (Object.keys(body).every((name) => isSame(there[name], body[name]))) return there as T
      if (!names.every(isStill)) throw overtaken()
      try {
        const saved = await patiently((signal) =>
          call<Values>('PUT', path, body, { ...options, signal, ...(etag ? { ifMatch: etag } : {}) }),
        )
        remember(path, base, body, saved)
        return saved as T
      } catch (e) {
        // Something else of the record is another now: it is looked at again.
        if (!(e instanceof ApiError) || e.status !== 412 || round === ROUNDS) throw e
      }
    }
  })

const overtaken = () => new ApiError(412, CHANGED, [], 'precondition_failed')

const isSame = (a: unknown, b: unknown) => isSameValue(plain(a), plain(b))

/** A link is what it leads to, however much of that comes along. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : value

interface Own {
  /** What this page has made of it. */
  readonly is: unknown
  /** What may still be shown, where it was read before the answer came: what stood there, and what was typed. */
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
