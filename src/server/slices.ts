import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds after which work that consists of many items lets other requests run. */
const SLICE_MS = 20

/** Returns a function to call between the items of long work: each `SLICE_MS`, it lets other requests run. */
export function createTurnGiver(): () => Promise<void> | undefined {
  let until = performance.now() + SLICE_MS
  const giveTurn = async () => {
    await nextTurn()
    until = performance.now() + SLICE_MS
  }
  return () => (performance.now() > until ? giveTurn() : undefined)
}

/** Maps many items in slices, between which the process responds to other requests. */
export async function mapInSlices<T, U>(items: readonly T[], map: (item: T, index: number) => U): Promise<U[]> {
  const results: U[] = []
  const giveTurn = createTurnGiver()
  for (const [index, item] of items.entries()) {
    const turn = giveTurn()
    if (turn) await turn
    results.push(map(item, index))
  }
  return results
}
