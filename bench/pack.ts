import { renderDocument } from '#server/pdf/furniture.ts'
import { renderPack } from '#server/pdf/pack.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { largePack, packCover } from '#test/pdf/papers.ts'
import { textsOf } from '#test/pdf/words.ts'
import { middle } from './times.ts'

const RUNS = 3
const GOAL = { cold: 4000, parts: 1.5 }

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
/** Different content each time, so that nothing is printed from a cache. */
const partsOf = (run: number) =>
  largePack.map((part) => ({ ...part, furniture: { ...part.furniture, reason: `Run ${run}` } }))
const pack = (run: number) => renderPack(packCover, partsOf(run), 1)

/**
 * Milliseconds for a pack of about sixty pages: cold, including the start of the print process; warm; and compared with
 * its parts printed one by one.
 */
export async function measurePack(): Promise<void> {
  const pages = (await textsOf(await pack(0))).length
  const [cold, warm, parts] = [[] as number[], [] as number[], [] as number[]]
  for (let run = 1; run <= RUNS; run++) {
    await closePools()
    cold.push(await took(() => pack(run)))
    parts.push(
      await took(async () => {
        for (const part of partsOf(RUNS + run)) await renderDocument(part)
      }),
    )
    warm.push(await took(() => pack(2 * RUNS + run)))
  }
  await closePools()
  const sum = middle(parts)
  const row = (what: string, ms: number, goal: string) =>
    console.log(`| ${what} | **${ms.toFixed(0)}** | ${(ms / sum).toFixed(2)} | ${goal} |`)
  console.log(`\n| a pack of ${pages} pages as a PDF | ms, middle | ÷ its parts | goal |\n|---|---|---|---|`)
  row('cold: its process is started first', middle(cold), `≤ ${GOAL.cold.toLocaleString('en-GB')} ms`)
  row('warm', middle(warm), `≤ ${GOAL.parts} × its parts`)
  row(`its ${largePack.length} parts, one after the other`, sum, '')
}
