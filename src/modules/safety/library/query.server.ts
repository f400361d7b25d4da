import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { parseSearchWords } from '#server/data/values.ts'

type QueryParameter = string | readonly string[] | undefined

/** Values of a query parameter: single, repeated or comma-separated. */
const listOf = (given: QueryParameter): string[] =>
  (given === undefined ? [] : typeof given === 'string' ? [given] : [...given]).flatMap((v) => v.split(','))

/** Parses ids from bare numbers or IRIs of the resource, in every form that a query allows; ignores anything else. */
export function parseQueryIds(r: Pick<Resource, 'url' | 'path'>, ...given: readonly QueryParameter[]): number[] {
  const ids = given.flatMap(listOf).flatMap((v) => idFromIriOrNumber(r, v.trim()) ?? [])
  return [...new Set(ids)]
}

/** Parses search words. Results must contain each of them. */
export const parseQueryWords = (given: QueryParameter): string[] => parseSearchWords(listOf(given))
