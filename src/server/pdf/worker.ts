import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { makeWorkerLog } from '#server/log.ts'
import { serveOrders } from '#server/processes/serve-orders.ts'
import { readDocumentFonts } from './fonts.ts'
import { toTemplateValues } from './plain-values.ts'
import { PROJECT_ROOT } from './root.ts'

/** A rendering job for the worker process. */
export interface PdfRenderJob {
  /** Absolute path of the `.typ` file. */
  readonly template: string
  /** JSON text. */
  readonly data: string
  readonly as?: 'picture'
}

/*
 * A process that renders PDFs, one at a time. A process rather than a thread, because native code that hangs can only
 * be stopped with its process, and memory is released only then.
 */
const log = makeWorkerLog()
const fontBlobs = readDocumentFonts()
const compiler = NodeCompiler.create({ workspace: PROJECT_ROOT, fontArgs: [{ fontBlobs }] })

/** Typst's diagnostics: the error, its place and hints. */
function reason(e: NodeError | null): string {
  const found = (e?.shortDiagnostics ?? []) as { message?: string; hints?: string[]; path?: string; range?: unknown }[]
  return found.map((d) => [d.message, ...(d.hints ?? [])].filter(Boolean).join('; ')).join(' · ') || 'no reason given'
}

/** Errors that a template can't avoid: Typst mixed up a layout's tags, or no font has a character. */
const OURS_TO_BEAR = /invalid .* structure|PDF\/UA-1 error: the text /

/**
 * Writes PDF/UA-1, which fails if something is missing. If the document's author can't correct the error, writes a file
 * that is only tagged, which serves readers better than none.
 */
function write(document: NodeTypstDocument, template: string): Uint8Array {
  try {
    return compiler.pdf(document, { pdfStandard: 'ua-1', pdfTags: true })
  } catch (e) {
    const said = [...String(e).matchAll(/message: "([^"]*)"/g)].map((m) => m[1]).join(' · ') || String(e)
    if (!OURS_TO_BEAR.test(said)) throw new Error(said)
    log.warn({ template, said }, 'PDF is tagged, but not PDF/UA')
    return compiler.pdf(document, { pdfTags: true })
  }
}

const PLENTY = 300 * 2 ** 20

function render(order: PdfRenderJob): Uint8Array {
  compiler.resetShadow()
  const { value, pictures } = toTemplateValues(JSON.parse(order.data))
  for (const [i, bytes] of pictures.entries()) compiler.mapShadow(`${PROJECT_ROOT}/pictures/${i}`, bytes)
  compiler.mapShadow(`${PROJECT_ROOT}/data.json`, Buffer.from(JSON.stringify(value)))
  const compiled = compiler.compile({ mainFilePath: order.template, resetRead: true })
  if (!compiled.result) throw new Error(reason(compiled.takeDiagnostics()))
  const pdf =
    order.as === 'picture' ? Buffer.from(compiler.plainSvg(compiled.result)) : write(compiled.result, order.template)
  // Keeps what recent documents shared (templates, fonts, glyphs) in the cache, unless memory use is high.
  compiler.evictCache(process.memoryUsage.rss() > PLENTY ? 0 : 3)
  return pdf
}

serveOrders(render)
