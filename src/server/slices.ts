import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds after which work that consists of many items lets other requests run. */
const SLICE_MS = 20

/** Maps many items in slices, between which the process responds to other requests. */
export async function mapInSlices<T, U>(items: readonly T[], map: (item: T, index: number) => U): Promise<U[]> {
  const results: U[] = []
  let until = performance.now() + SLICE_MS
  for (const [index, item] of items.entries()) {
    if (performance.now() > until) {
      await nextTurn()
      until = performance.now() + SLICE_MS
    }
    results.push(map(item, index))
  }
  return results
}
