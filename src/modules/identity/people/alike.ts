import { isSamePersonName, normalisePersonName } from '#kernel/signature.ts'

/**
 * Suggests users for a mistyped name. A name is similar if the typed words are prefixes of its words in any order
 * ("Callum", "fraser c"), or if the complete names differ by one letter. Returns an empty list if any name matches
 * exactly.
 */
export function findSimilarNames<P extends { readonly name: string }>(typed: string, people: readonly P[]): P[] {
  if (people.some((p) => isSamePersonName(p.name, typed))) return []
  const words = wordsOf(typed)
  if (!words.length) return []
  return people.filter(
    ({ name }) => isBegun(words, wordsOf(name)) || isNear(normalisePersonName(typed), normalisePersonName(name)),
  )
}

const wordsOf = (name: string) =>
  normalisePersonName(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Returns true if each word is a prefix of a different word in the name. */
function isBegun(words: readonly string[], name: readonly string[]): boolean {
  const left = [...name]
  return words.every((word) => {
    const at = left.findIndex((own) => own.startsWith(word))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/**
 * Returns true if the names are equal or differ by one letter inserted, removed or replaced. Returns false if either
 * name has fewer than five characters.
 */
function isNear(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1 || short.length < 5) return false
  let i = 0
  while (i < short.length && short[i] === long[i]) i++
  return short.slice(long.length === short.length ? i + 1 : i) === long.slice(i + 1)
}
