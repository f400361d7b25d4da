import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

const approved = fileURLToPath(new URL('./approved', import.meta.url))
const results = fileURLToPath(new URL('../../test-results/pdf', import.meta.url))
const DPI = 80
/** Tolerance for rounding, in pixels per page; a changed digit differs by more pixels than this. */
const TOLERANCE = 8

interface Page {
  readonly image: PNG
}

/** Renders the pages of a PDF at a resolution in dots per inch. */
export async function renderPages(pdf: Buffer, dpi = DPI): Promise<Page[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const pages: Page[] = []
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: dpi / 72, render: 'bitmap' })
    const image = new PNG({ width, height })
    image.data.set(data)
    pages.push({ image })
  }
  document.destroy()
  library.destroy()
  return pages
}

/** Returns the filled share of the height between header and footer. */
export function measureFilledShare({ width, height, data }: PNG): number {
  const [top, bottom] = [Math.round(height * 0.1), Math.round(height * 0.92)]
  for (let y = bottom; y > top; y--)
    for (let x = 0; x < width; x++) if ((data[(y * width + x) * 4] ?? 255) < 160) return (y - top) / (bottom - top)
  return 0
}

const files = (name: string) => readdirSync(approved).filter((f) => f.replace(/-\d+\.png$/, '') === name)

/**
 * Compares pages with the approved pictures, and returns a sentence for each page that differs. `UPDATE_PDF=1` approves
 * the current pages instead, so check them first. Without it, the pages and their differences are written to
 * `test-results/pdf`.
 */
export function compareWithApproved(name: string, pages: readonly Page[]): string[] {
  if (process.env.UPDATE_PDF) {
    for (const f of files(name)) rmSync(join(approved, f))
    for (const [i, p] of pages.entries()) writeFileSync(join(approved, `${name}-${i + 1}.png`), PNG.sync.write(p.image))
  }
  mkdirSync(results, { recursive: true })
  const keep = (file: string, image: PNG) => writeFileSync(join(results, file), PNG.sync.write(image))
  const known = files(name).length
  const wrong = known === pages.length ? [] : [`${name} has ${pages.length} pages; ${known} are approved`]
  for (const [i, { image }] of pages.entries()) {
    const page = `${name}-${i + 1}`
    if (i >= known) {
      keep(`${page}.png`, image)
      continue
    }
    const wanted = PNG.sync.read(readFileSync(join(approved, `${page}.png`)))
    const { width, height } = image
    const same = wanted.width === width && wanted.height === height
    const difference = new PNG({ width, height })
    const pixels = same ? pixelmatch(wanted.data, image.data, difference.data, width, height) : width * height
    if (pixels <= TOLERANCE) continue
    keep(`${page}.png`, image)
    keep(`${page}-difference.png`, difference)
    wrong.push(`${page}: ${pixels} pixels differ; see test-results/pdf`)
  }
  return wrong
}

/** Saves a PDF for external checkers: `verapdf --flavour ua1 test-results/pdf`. */
export function savePdfForExternalCheckers(name: string, pdf: Buffer): void {
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${name.replaceAll(' ', '-')}.pdf`), pdf)
}
