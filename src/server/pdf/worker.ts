import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { makeWorkerLogger } from '#server/log.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { makeTextPrintable, needsFurtherFonts } from './coverage.ts'
import { readDocumentFonts, readFurtherFonts } from './fonts.ts'
import { type RichTextNode, toRichTextNodes } from './rich-text.ts'
import { PROJECT_ROOT } from './root.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Value = null | boolean | number | string | RichTextNode | readonly Value[] | { readonly [key: string]: Value }

const STARTS = [/^\x89PNG/, /^\xff\xd8\xff/, /^GIF8/, /^RIFF.{4}WEBP/s]

/** Names of fields that contain an instant, and the format of an instant. */
const WHEN = /^(at|on)$|(On|At|Due|Of)$/
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/

/** Converts `2026-06-12T14:05:00Z` to `2026-06-12T15:05`, in London time. */
const londonTime = (instant: string): string =>
  Temporal.Instant.from(instant)
    .toZonedDateTimeISO(LONDON_TIME_ZONE)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

function bytesOf(base64: string, alt: Json | undefined): Buffer {
  if (typeof alt !== 'string' || !alt.trim()) throw new Error('a picture has no alternative text')
  const bytes = Buffer.from(base64, 'base64')
  const start = bytes.toString('latin1', 0, 16)
  if (!STARTS.some((s) => s.test(start))) throw new Error('a picture is neither PNG, JPEG, GIF nor WebP')
  return bytes
}

/**
 * Converts data for a template. `{ html }` becomes `{ rich: nodes }`. `{ base64, … }` becomes `{ file: '/pictures/0', …
 * }` and its bytes are added to `pictures`. Text is made printable. An instant in a field such as `at` or `approvedOn`
 * is converted to London time. Other values are unchanged.
 */
function toTemplateValues(data: Json): { value: Value; pictures: Buffer[] } {
  const pictures: Buffer[] = []
  const walk = (v: Json, name = ''): Value => {
    if (typeof v === 'string') return WHEN.test(name) && INSTANT.test(v) ? londonTime(v) : makeTextPrintable(v)
    if (Array.isArray(v)) return v.map((x) => walk(x))
    if (v === null || typeof v !== 'object') return v
    if (typeof v.html === 'string') return { rich: toRichTextNodes(makeTextPrintable(v.html)) }
    if (typeof v.base64 === 'string') {
      const { base64, ...rest } = v
      return { ...walkAll({ alt: null, ...rest }), file: `/pictures/${pictures.push(bytesOf(base64, v.alt)) - 1}` }
    }
    return walkAll(v)
  }
  const walkAll = (v: { readonly [name: string]: Json }) =>
    Object.fromEntries(Object.entries(v).map(([k, x]) => [k, walk(x, k)]))
  return { value: walk(data), pictures }
}

export interface PdfRenderJob {
  /** Absolute path of the `.typ` file. */
  readonly template: string
  /** JSON text. */
  readonly data: string
  readonly as?: 'picture'
}

/*
 * This program renders PDFs, one at a time. It is a process rather than a thread, because native code that hangs can
 * only be stopped by ending its process. Ending the process also releases its memory.
 */
const log = makeWorkerLogger()
const makeCompiler = (fontBlobs: Buffer[]) =>
  NodeCompiler.create({ workspace: PROJECT_ROOT, fontArgs: [{ fontBlobs }] })
const usualCompiler = makeCompiler(readDocumentFonts())
let furtherCompiler: NodeCompiler | undefined

/** Returns the compiler with the fonts that a document needs. */
function compilerFor(data: string): NodeCompiler {
  if (!needsFurtherFonts(data)) return usualCompiler
  furtherCompiler ??= makeCompiler([...readDocumentFonts(), ...readFurtherFonts()])
  return furtherCompiler
}

/** Formats Typst's diagnostics: the error and its hints. */
function reason(e: NodeError | null): string {
  const found = (e?.shortDiagnostics ?? []) as { message?: string; hints?: string[]; path?: string; range?: unknown }[]
  return found.map((d) => [d.message, ...(d.hints ?? [])].filter(Boolean).join('; ')).join(' · ') || 'no reason given'
}

/** Pattern for errors that a template can't avoid: Typst has mixed up a layout's tags, or no font has a character. */
const OURS_TO_BEAR = /invalid .* structure|PDF\/UA-1 error: the text /

/**
 * Writes PDF/UA-1. This fails if something is missing. If the template can't avoid the error, writes a PDF that is only
 * tagged, because it is more accessible than no PDF.
 */
function write(compiler: NodeCompiler, document: NodeTypstDocument, template: string): Uint8Array {
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
  const { value, pictures } = toTemplateValues(JSON.parse(order.data))
  const data = JSON.stringify(value)
  const compiler = compilerFor(data)
  compiler.resetShadow()
  for (const [i, bytes] of pictures.entries()) compiler.mapShadow(`${PROJECT_ROOT}/pictures/${i}`, bytes)
  compiler.mapShadow(`${PROJECT_ROOT}/data.json`, Buffer.from(data))
  const compiled = compiler.compile({ mainFilePath: order.template, resetRead: true })
  if (!compiled.result) throw new Error(reason(compiled.takeDiagnostics()))
  const pdf =
    order.as === 'picture'
      ? Buffer.from(compiler.plainSvg(compiled.result))
      : write(compiler, compiled.result, order.template)
  // Retains what recent documents shared (templates, fonts, glyphs) in the cache, unless memory use is high.
  compiler.evictCache(process.memoryUsage.rss() > PLENTY ? 0 : 3)
  return pdf
}

serveTasks(render)
