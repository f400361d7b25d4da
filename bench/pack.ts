import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { renderPackDocuments } from '#server/pdf/pack.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { largePackParts, samplePackCover } from '#test/pdf/papers.ts'
import { extractPageTexts } from '#test/pdf/words.ts'
import { medianTime } from './times.ts'

const RUNS = 3
const GOAL = { cold: 4000, parts: 1.5 }

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
/** Returns the parts of the pack. Their content differs each time, so that nothing is printed from a cache. */
const partsOf = (run: number) =>
  largePackParts.map((part) => ({ ...part, furniture: { ...part.furniture, reason: `Run ${run}` } }))
const pack = (run: number) => renderPackDocuments(samplePackCover, partsOf(run), 1)

/**
 * Measures the milliseconds to print a pack of about sixty pages: cold, including the start of the print process; warm;
 * and, for comparison, with its parts printed one by one.
 */
export async function measurePackPdf(): Promise<void> {
  const pages = (await extractPageTexts(await pack(0))).length
  const [cold, warm, parts] = [[] as number[], [] as number[], [] as number[]]
  for (let run = 1; run <= RUNS; run++) {
    await closeAllPools()
    cold.push(await took(() => pack(run)))
    parts.push(
      await took(async () => {
        for (const part of partsOf(RUNS + run)) await renderControlledDocument(part)
      }),
    )
    warm.push(await took(() => pack(2 * RUNS + run)))
  }
  await closeAllPools()
  const sum = medianTime(parts)
  const row = (what: string, ms: number, goal: string) =>
    console.log(`| ${what} | **${ms.toFixed(0)}** | ${(ms / sum).toFixed(2)} | ${goal} |`)
  console.log(`\n| a pack with ${pages} pages as a PDF | median, ms | ÷ its documents | goal |\n|---|---|---|---|`)
  row('cold: including the start of the print process', medianTime(cold), `≤ ${GOAL.cold.toLocaleString('en-GB')} ms`)
  row('warm', medianTime(warm), `≤ ${GOAL.parts} × its documents`)
  row(`its ${largePackParts.length} documents, printed one by one`, sum, '')
}
