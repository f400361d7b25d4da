import { renderDocument } from '#server/pdf/furniture.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { forty, furniture } from '#test/pdf/samples.ts'
import { pdfkitDocument } from './pdfkit-document.ts'
import { middle } from './times.ts'

const RUNS = 15
const template = new URL('../src/modules/safety/risk/risk-assessment.typ', import.meta.url)

/** Document of forty hazards, with a different word in one of them each time: like printing again while writing. */
const paper = (run: number) => {
  const [first, ...rest] = forty.hazards
  return {
    furniture: { ...furniture, seal: undefined },
    body: { ...forty, hazards: [...(first ? [{ ...first, name: `${first.name} ${run}` }] : []), ...rest] },
  }
}

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Milliseconds for a document of forty hazards, with and without starting the print process, compared with pdfkit. */
export async function measurePaper(): Promise<void> {
  const print = (run: number) => renderDocument({ template, ...paper(run) })
  const colds: number[] = []
  for (let run = 0; run < 3; run++) {
    await closePools()
    colds.push(await took(() => print(run)))
  }
  const [ours, same, theirs] = [[] as number[], [] as number[], [] as number[]]
  for (let run = 0; run < RUNS; run++) {
    ours.push(await took(() => print(10 + run)))
    same.push(await took(() => print(10 + run)))
    const { furniture: f, body } = paper(run)
    theirs.push(await took(() => pdfkitDocument(f, body)))
  }
  await closePools()
  const beside = middle(theirs)
  const row = (what: string, ms: number, goal: string) =>
    console.log(`| ${what} | **${ms.toFixed(0)}** | ${(ms / beside).toFixed(2)} | ${goal} |`)
  console.log('\n| an assessment of forty hazards as a PDF | ms, middle | ÷ pdfkit | goal, ms |\n|---|---|---|---|')
  row('cold: its process is started first', middle(colds), '≤ 1,500')
  row('warm: a word is another', middle(ours), '≤ 150')
  row('warm: the same again', middle(same), '≤ 150')
  row('pdfkit, the same contents', beside, '')
}
