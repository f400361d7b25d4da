import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { makeWorkerLog } from '#server/log.ts'
import { serveOrders } from '#server/processes/serve-orders.ts'
import { readFonts } from './fonts.ts'
import { plainValues } from './plain-values.ts'
import { root } from './root.ts'

/** What is asked for. */
export interface PdfOrder {
  /** Absolute path of the `.typ` file. */
  readonly template: string
  /** JSON text. */
  readonly data: string
  readonly as?: 'picture'
}

/*
 * A process that turns orders into PDFs, one at a time. A process and not a thread, because native code that has lost its
 * way can only be ended with the process it runs in, and its memory comes back only then.
 */
const log = makeWorkerLog()
const fontBlobs = readFonts()
const compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontBlobs }] })

/** Typst's own words: what is wrong, where, and what it suggests. */
function reason(e: NodeError | null): string {
  const found = (e?.shortDiagnostics ?? []) as { message?: string; hints?: string[]; path?: string; range?: unknown }[]
  return found.map((d) => [d.message, ...(d.hints ?? [])].filter(Boolean).join('; ')).join(' · ') || 'no reason given'
}

/** Typst tangled the tags of a layout, or no font has a character: what a template can't help. */
const OURS_TO_BEAR = /invalid .* structure|PDF\/UA-1 error: the text /

/**
 * PDF/UA-1, which fails where something is missing. Where nobody who writes a document could put it right, a file that is
 * only tagged serves a reader better than none.
 */
function write(document: NodeTypstDocument, template: string): Uint8Array {
  try {
    return compiler.pdf(document, { pdfStandard: 'ua-1', pdfTags: true })
  } catch (e) {
    const said = [...String(e).matchAll(/message: "([^"]*)"/g)].map((m) => m[1]).join(' · ') || String(e)
    if (!OURS_TO_BEAR.test(said)) throw new Error(said)
    log.warn({ template, said }, 'A PDF is tagged, but not PDF/UA')
    return compiler.pdf(document, { pdfTags: true })
  }
}

const PLENTY = 300 * 2 ** 20

function render(order: PdfOrder): Uint8Array {
  compiler.resetShadow()
  const { value, pictures } = plainValues(JSON.parse(order.data))
  for (const [i, bytes] of pictures.entries()) compiler.mapShadow(`${root}/pictures/${i}`, bytes)
  compiler.mapShadow(`${root}/data.json`, Buffer.from(JSON.stringify(value)))
  const compiled = compiler.compile({ mainFilePath: order.template, resetRead: true })
  if (!compiled.result) throw new Error(reason(compiled.takeDiagnostics()))
  const pdf =
    order.as === 'picture' ? Buffer.from(compiler.plainSvg(compiled.result)) : write(compiled.result, order.template)
  // What the last few documents had in common (templates, fonts, signs) stays, unless they were large.
  compiler.evictCache(process.memoryUsage.rss() > PLENTY ? 0 : 3)
  return pdf
}

serveOrders(render)
