/** A list with one of its members a place further down or up; the first and the last stay where there is no further. */
export function moveItem<T>(all: readonly T[], one: T, by: 1 | -1): T[] {
  const from = all.indexOf(one)
  const to = from + by
  if (from < 0 || to < 0 || to >= all.length) return [...all]
  const next = all.toSpliced(from, 1)
  return next.toSpliced(to, 0, one)
}
