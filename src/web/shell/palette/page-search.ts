const plain = (s: string) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Does the text have every word of the query, each at the beginning of a word? */
export function allWords(query: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((q) => words.some((w) => w.startsWith(q)))
}
