import { pathToFileURL } from 'node:url'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { sampleDocumentFrame, sampleRisk } from '#test/pdf/samples.ts'
import { renderDocumentWithPdfkit } from './pdfkit-document.ts'
import { medianTime } from './times.ts'

const RUNS = 40

/** Creates a document of six pages. Its text differs each time to avoid the Typst compiler's cache. */
function different(run: number) {
  const of = (s: string) => `${s} (${run})`
  return {
    furniture: { ...sampleDocumentFrame, number: `RA-${1000 + run}`, title: of(sampleDocumentFrame.title) },
    body: {
      ...sampleRisk,
      ppe: sampleRisk.ppe.slice(0, 9),
      hazards: [...sampleRisk.hazards, ...sampleRisk.hazards].map((h, i) => ({
        ...h,
        name: `${h.name} ${run}.${i}`,
        controls: h.controls.map((c) => ({ ...c, name: of(c.name) })),
      })),
    },
  }
}

const template = new URL('../src/modules/safety/risk/risk-assessment.typ', import.meta.url)
const makers = {
  ours: (run: number) => renderControlledDocument({ template, ...different(run) }),
  pdfkit: (run: number) => {
    const { furniture: f, body } = different(run)
    return renderDocumentWithPdfkit(f, body)
  },
}

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

/**
 * Prints the milliseconds for a tagged PDF of six pages when warm, and for pdfkit with the same content in the same
 * run.
 */
export async function printPdfTimes(): Promise<void> {
  const times = { ours: [] as number[], pdfkit: [] as number[] }
  const size = { ours: '', pdfkit: '' }
  // Measures alternately, so that the load of the machine affects both.
  for (let run = 0; run < RUNS + 5; run++)
    for (const name of ['ours', 'pdfkit'] as const) {
      const began = performance.now()
      const pdf = await makers[name](run)
      if (run >= 5) times[name].push(performance.now() - began)
      size[name] = `${pages(pdf)} pages, ${Math.round(pdf.length / 1000)} KB`
    }
  await closeAllPools()
  const [ours, theirs] = [medianTime(times.ours), medianTime(times.pdfkit)]
  console.log('\n| tagged PDF, warm, ms | ours | pdfkit | ours ÷ pdfkit | goal |\n|---|---|---|---|---|')
  console.log(
    `| ${size.ours}; pdfkit: ${size.pdfkit} | ${ours.toFixed(1)} | ${theirs.toFixed(1)} | **${(ours / theirs).toFixed(2)}** | ≤ 1.2 |`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await printPdfTimes()
