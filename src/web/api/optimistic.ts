import { onlineManager, type QueryClient } from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import type { Resource } from '#kernel/resource.ts'
import { ApiError, type Collection, type Params } from './client.ts'
import { randomKey } from './idempotency.ts'
import { session } from './session.ts'
import { DECISIONS, typedKey } from '../offline/owner.ts'

/** Shows again what was shown before. */
export type Rollback = () => void

type At = Pick<Resource, 'url'>

/**
 * Shows, wherever records of a resource are shown, what they will be once the server has answered: nothing where one leaves a
 * list that was asked for with these parameters. What it gives back shows what they were, where nothing newer has come
 * meanwhile. Without a connection nothing is shown that is not so.
 */
export const changeOptimistically = <T extends object>(
  queries: QueryClient,
  resource: At,
  change: (record: T, params: Params) => T | undefined,
): Rollback =>
  showOptimistically(queries, resource, (data, params) => {
    if (!isCollection<T>(data)) return '@id' in data ? (change(data as T, {}) ?? data) : data
    const before = data['hydra:member']
    const after = before.flatMap((one) => change(one, params) ?? [])
    return after.length === before.length && after.every((one, i) => one === before[i]) ? data : counted(data, after)
  })

/** Shows a record at the end of the lists that it will be in. */
export const addOptimistically = <T extends object>(
  queries: QueryClient,
  resource: At,
  record: T,
  isIn: (params: Params) => boolean,
): Rollback =>
  showOptimistically(queries, resource, (data, params) =>
    isCollection<T>(data) && isIn(params) ? counted(data, [...data['hydra:member'], record]) : data,
  )

function showOptimistically(queries: QueryClient, { url }: At, change: (data: object, params: Params) => object): Rollback {
  if (!onlineManager.isOnline()) return () => undefined
  // What was asked for before would come after it, and show what was.
  void queries.cancelQueries({ queryKey: [url], predicate: ({ state }) => state.data !== undefined })
  const shown = queries.getQueriesData<object>({ queryKey: [url] }).flatMap(([key, before]) => {
    const asked = key[2]
    const after = before && change(before, typeof asked === 'object' && asked !== null ? (asked as Params) : {})
    return after === before ? [] : [{ key, before, after: queries.setQueryData(key, after) }]
  })
  return () => {
    for (const { key, before, after } of shown)
      if (queries.getQueryData(key) === after) queries.setQueryData(key, before)
  }
}

/** Something that is shown as done and has not been answered: kept in the tab, for whoever leaves the page meanwhile and comes back. */
export interface Decision {
  /** "The approval of RA-0004 revision 1" */
  readonly what: string
  /** The record that it is about, as it was, and as it is once this is done. */
  readonly address: string
  readonly before: Values
  readonly after: Values
  /** Where it is on screen. */
  readonly at: string
}

interface Kept extends Decision {
  readonly id: string
  /** The page that it was made on, from one loading to the next. */
  readonly page: string
}

const PAGE = randomKey()
const readAll = (key: string): Kept[] => JSON.parse(sessionStorage.getItem(key) ?? '[]')
function writeAll(key: string, all: readonly Kept[]): void {
  if (all.length) sessionStorage.setItem(key, JSON.stringify(all))
  else sessionStorage.removeItem(key)
}

/** Milliseconds: a page that goes ends what it asks for, and tells that before it is gone. */
const GOING = 500

/** Keeps what was decided until it is answered: the caller says what came of it. */
export function storeDecisions(decisions: readonly Decision[]): (error?: unknown) => void {
  const key = typedKey(session.me(), DECISIONS)
  const made = decisions.map((decision): Kept => ({ ...decision, id: randomKey(), page: PAGE }))
  writeAll(key, [...readAll(key), ...made])
  return (error) => {
    if (error instanceof ApiError && error.status === 0) setTimeout(() => forget(key, made), GOING)
    else forget(key, made)
  }
}

const forget = (key: string, gone: readonly Kept[]): void =>
  writeAll(
    key,
    readAll(key).filter(({ id }) => !gone.some((one) => one.id === id)),
  )

/** What was decided on pages of before and was not answered there; kept until whoever asks says that it has been told. */
export function readUnansweredDecisions(): { readonly decision: Decision; readonly told: () => void }[] {
  const key = typedKey(session.me(), DECISIONS)
  return readAll(key)
    .filter(({ page }) => page !== PAGE)
    .map((decision) => ({ decision, told: () => forget(key, [decision]) }))
}

const isCollection = <T>(data: object): data is Collection<T> => 'hydra:member' in data

function counted<T>(data: Collection<T>, members: readonly T[]): Collection<T> {
  const total = data['hydra:totalItems']
  return {
    ...data,
    'hydra:member': members,
    ...(total === undefined ? {} : { 'hydra:totalItems': total + members.length - data['hydra:member'].length }),
  }
}
