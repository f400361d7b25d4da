import { onlineManager, type QueryClient } from '@tanstack/react-query'
import type { Resource } from '#kernel/resource.ts'
import type { Collection, QueryParams } from './client.ts'

/** Function that restores the previous data. */
export type Rollback = () => void

type ResourceAddress = Pick<Resource, 'url'>

/**
 * Changes a resource's records on the screen before the server has responded. `change` returns undefined if the record
 * no longer belongs in a list with these parameters. The returned function undoes the change unless newer data has
 * arrived. While offline, nothing is changed.
 */
export const changeOptimistically = <T extends object>(
  queries: QueryClient,
  resource: ResourceAddress,
  change: (record: T, params: QueryParams) => T | undefined,
): Rollback =>
  showOptimistically(queries, resource, (data, params) => {
    if (!isCollection<T>(data)) return '@id' in data ? (change(data as T, {}) ?? data) : data
    const before = data['hydra:member']
    const after = before.flatMap((one) => change(one, params) ?? [])
    return after.length === before.length && after.every((one, i) => one === before[i]) ? data : counted(data, after)
  })

/**
 * Appends a record to the lists that will contain it, before the server has responded. The returned function undoes the
 * change.
 */
export const addOptimistically = <T extends object>(
  queries: QueryClient,
  resource: ResourceAddress,
  record: T,
  isIn: (params: QueryParams) => boolean,
): Rollback =>
  showOptimistically(queries, resource, (data, params) =>
    isCollection<T>(data) && isIn(params) ? counted(data, [...data['hydra:member'], record]) : data,
  )

function showOptimistically(
  queries: QueryClient,
  { url }: ResourceAddress,
  change: (data: object, params: QueryParams) => object,
): Rollback {
  if (!onlineManager.isOnline()) return () => undefined
  // Cancels pending requests, because their responses would restore the previous data.
  void queries.cancelQueries({ queryKey: [url], predicate: ({ state }) => state.data !== undefined })
  const shown = queries.getQueriesData<object>({ queryKey: [url] }).flatMap(([key, before]) => {
    const asked = key[2]
    const after = before && change(before, typeof asked === 'object' && asked !== null ? (asked as QueryParams) : {})
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
