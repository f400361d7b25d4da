import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { parseSearchWords } from '#server/data/values.ts'

type QueryParameter = string | readonly string[] | undefined

/** Returns the values of a query parameter, whether single, repeated or comma-separated. */
const listOf = (given: QueryParameter): string[] =>
  (given === undefined ? [] : typeof given === 'string' ? [given] : [...given]).flatMap((v) => v.split(','))

/** Parses IDs in every format that a query allows: bare numbers or IRIs of the resource. Ignores anything else. */
export function parseQueryIds(r: Pick<Resource, 'url' | 'path'>, ...given: readonly QueryParameter[]): number[] {
  const ids = given.flatMap(listOf).flatMap((v) => idFromIriOrNumber(r, v.trim()) ?? [])
  return [...new Set(ids)]
}

/** Parses search words. Each result must contain every word. */
export const parseQueryWords = (given: QueryParameter): string[] => parseSearchWords(listOf(given))
