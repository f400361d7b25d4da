import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { riskWithFortyHazards, sampleDocumentFrame } from '#test/pdf/samples.ts'
import { renderDocumentWithPdfkit } from './pdfkit-document.ts'
import { medianTime } from './times.ts'

const RUNS = 15
const template = new URL('../src/modules/safety/risk/risk-assessment.typ', import.meta.url)

/**
 * Creates a document of forty hazards. One word in one hazard differs each time, as when an author prints repeatedly
 * while writing.
 */
const paper = (run: number) => {
  const [first, ...rest] = riskWithFortyHazards.hazards
  return {
    furniture: { ...sampleDocumentFrame, seal: undefined },
    body: {
      ...riskWithFortyHazards,
      hazards: [...(first ? [{ ...first, name: `${first.name} ${run}` }] : []), ...rest],
    },
  }
}

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Measures printing a document of forty hazards: including the start of the print process, with one word changed, and
 * unchanged. Prints the median milliseconds, compared with pdfkit.
 */
export async function measureEvidencePdf(): Promise<void> {
  const print = (run: number) => renderControlledDocument({ template, ...paper(run) })
  const colds: number[] = []
  for (let run = 0; run < 3; run++) {
    await closeAllPools()
    colds.push(await took(() => print(run)))
  }
  const [ours, same, theirs] = [[] as number[], [] as number[], [] as number[]]
  for (let run = 0; run < RUNS; run++) {
    ours.push(await took(() => print(10 + run)))
    same.push(await took(() => print(10 + run)))
    const { furniture: f, body } = paper(run)
    theirs.push(await took(() => renderDocumentWithPdfkit(f, body)))
  }
  await closeAllPools()
  const beside = medianTime(theirs)
  const row = (what: string, ms: number, goal: string) =>
    console.log(`| ${what} | **${ms.toFixed(0)}** | ${(ms / beside).toFixed(2)} | ${goal} |`)
  console.log('\n| an assessment with forty hazards as a PDF | median, ms | ÷ pdfkit | goal, ms |\n|---|---|---|---|')
  row('cold: including the start of the print process', medianTime(colds), '≤ 1,500')
  row('warm: one word changed', medianTime(ours), '≤ 150')
  row('warm: the same document again', medianTime(same), '≤ 150')
  row('pdfkit with the same content', beside, '')
}
