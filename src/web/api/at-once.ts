import { onlineManager, type QueryClient } from '@tanstack/react-query'
import type { Resource } from '#kernel/resource.ts'
import type { Collection, Params } from './client.ts'

/** Shows again what was shown before. */
export type TakeBack = () => void

type At = Pick<Resource, 'url'>

/**
 * Shows, wherever records of a resource are shown, what they will be once the server has answered: nothing where one leaves a
 * list that was asked for with these parameters. What it gives back shows what they were, where nothing newer has come
 * meanwhile. Without a connection nothing is shown that is not so.
 */
export const changeAtOnce = <T extends object>(
  queries: QueryClient,
  resource: At,
  change: (record: T, params: Params) => T | undefined,
): TakeBack =>
  showAtOnce(queries, resource, (data, params) => {
    if (!isCollection<T>(data)) return '@id' in data ? (change(data as T, {}) ?? data) : data
    const before = data['hydra:member']
    const after = before.flatMap((one) => change(one, params) ?? [])
    return after.length === before.length && after.every((one, i) => one === before[i]) ? data : counted(data, after)
  })

/** Shows a record at the end of the lists that it will be in. */
export const addAtOnce = <T extends object>(
  queries: QueryClient,
  resource: At,
  record: T,
  isIn: (params: Params) => boolean,
): TakeBack =>
  showAtOnce(queries, resource, (data, params) =>
    isCollection<T>(data) && isIn(params) ? counted(data, [...data['hydra:member'], record]) : data,
  )

function showAtOnce(queries: QueryClient, { url }: At, change: (data: object, params: Params) => object): TakeBack {
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

const isCollection = <T>(data: object): data is Collection<T> => 'hydra:member' in data

function counted<T>(data: Collection<T>, members: readonly T[]): Collection<T> {
  const total = data['hydra:totalItems']
  return {
    ...data,
    'hydra:member': members,
    ...(total === undefined ? {} : { 'hydra:totalItems': total + members.length - data['hydra:member'].length }),
  }
}
