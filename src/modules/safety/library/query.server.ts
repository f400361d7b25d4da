import { idByEither } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { readWords } from '#server/data/query-values.ts'

type Given = string | readonly string[] | undefined

/** Values of a parameter that comes once, several times or with commas. */
const listOf = (given: Given): string[] =>
  (given === undefined ? [] : typeof given === 'string' ? [given] : [...given]).flatMap((v) => v.split(','))

/** Ids from bare numbers or IRIs of the resource, in any of the forms a query has; what is neither is left out. */
export function idsIn(r: Pick<Resource, 'url' | 'path'>, ...given: readonly Given[]): number[] {
  const ids = given.flatMap(listOf).flatMap((v) => idByEither(r, v.trim()) ?? [])
  return [...new Set(ids)]
}

/** The words of a search: each must occur somewhere. */
export const wordsIn = (given: Given): string[] => readWords(listOf(given))
