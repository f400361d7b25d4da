import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { readWords } from '#server/data/query-values.ts'

type Given = string | readonly string[] | undefined

/** Values of a query parameter: single, repeated or comma-separated. */
const listOf = (given: Given): string[] =>
  (given === undefined ? [] : typeof given === 'string' ? [given] : [...given]).flatMap((v) => v.split(','))

/** Ids from bare numbers or IRIs of the resource, in every form a query allows; anything else is ignored. */
export function parseQueryIds(r: Pick<Resource, 'url' | 'path'>, ...given: readonly Given[]): number[] {
  const ids = given.flatMap(listOf).flatMap((v) => idFromIriOrNumber(r, v.trim()) ?? [])
  return [...new Set(ids)]
}

/** Search words; each must occur somewhere. */
export const parseQueryWords = (given: Given): string[] => readWords(listOf(given))
