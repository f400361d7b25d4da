import { type PDFDict, type PDFObject, PDFStream } from 'pdf-lib'
import { type PdfFont, readPdfFont } from './fonts.ts'
import { lookUpPdfDict, lookUpPdfObject, readPdfBytes, readPdfName } from './objects.ts'
import { type Operand, parseContentOperations } from './operations.ts'

/** Content that a page draws directly or through a form XObject. */
export interface DrawnContent {
  readonly findings: readonly string[]
  /** Text of each marked-content sequence, by its number. */
  readonly marked: ReadonlyMap<number, string>
}

const PAINTS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's', 'sh', 'Tj', 'TJ', "'", '"', 'EI'])
/** Results to which no character code may be mapped (ISO 14289-1, 7.21.7): empty text, U+0000, U+FEFF and U+FFFE. */
const NO_LETTER = /^$|[\0\ufeff\ufffe]/

interface Mark {
  readonly tag: string
  readonly id?: number
  /** Replacement text for the glyphs (`ActualText`). */
  readonly instead?: string
}

/**
 * Reads drawn content, and checks that all of it is tagged or marked as an artifact, and that each glyph is mapped to
 * text.
 */
export function readDrawnContent(contents: Buffer, resources: PDFDict | undefined): DrawnContent {
  const findings = new Set<string>()
  const marked = new Map<number, string>()
  const fonts = new Map<PDFDict, PdfFont>()
  const marks: Mark[] = []

  const add = (text: string) => {
    const id = marks.findLast((m) => m.id !== undefined)?.id
    if (id !== undefined) marked.set(id, (marked.get(id) ?? '') + text)
  }
  const paint = (what: string) => {
    if (!marks.some((m) => m.tag === 'Artifact' || m.id !== undefined))
      findings.add(`${what} is neither tagged nor an artifact`)
  }
  const begin = (tag: string, properties: Operand | undefined, within: PDFDict | undefined) => {
    const named =
      typeof properties === 'string'
        ? lookUpPdfDict(lookUpPdfDict(within, 'Properties'), properties.slice(1))
        : undefined
    if (named) findings.add('Properties of a mark stand apart, where this check does not look')
    const said = properties instanceof Map ? (properties as ReadonlyMap<string, Operand>) : undefined
    const [id, instead] = [said?.get('/MCID'), said?.get('/ActualText')]
    const inside = marks.some((m) => m.id !== undefined)
    if (tag === 'Artifact' && inside) findings.add('An artifact stands within tagged contents')
    if (typeof id === 'number') {
      if (marks.some((m) => m.tag === 'Artifact')) findings.add('Tagged contents stand within an artifact')
      if (inside) findings.add('Tagged contents stand within others')
      if (marked.has(id)) findings.add(`Two marked contents have the number ${id}`)
      marked.set(id, marked.get(id) ?? '')
    }
    marks.push({
      tag,
      ...(typeof id === 'number' ? { id } : {}),
      ...(Buffer.isBuffer(instead) ? { instead: decode(instead) } : {}),
    })
    if (Buffer.isBuffer(instead)) add(decode(instead))
  }
  const show = (font: PdfFont | undefined, strings: readonly Operand[]) => {
    paint('A text')
    if (!font) {
      findings.add('A text has no font')
      return
    }
    for (const f of font.findings) findings.add(f)
    const instead = marks.some((m) => m.instead !== undefined)
    const artifact = marks.some((m) => m.tag === 'Artifact')
    for (const bytes of strings.filter((s) => Buffer.isBuffer(s)))
      for (let i = 0; i + 1 < bytes.length; i += 2) {
        const letter = font.letters.get(bytes.readUInt16BE(i)) ?? ''
        if (!instead && !artifact && NO_LETTER.test(letter))
          findings.add(`${font.name} shows something that stands for no letter`)
        if (!instead) add(letter)
      }
  }
  const walk = (stream: Buffer, within: PDFDict | undefined, depth: number) => {
    let font: PdfFont | undefined
    const began = marks.length
    for (const { operator, operands } of parseContentOperations(stream.toString('latin1'))) {
      const [first] = operands
      if (operator === 'BDC' || operator === 'BMC') begin(plainName(first), operands[1], within)
      else if (operator === 'EMC') {
        if (marks.length === began) findings.add('A mark ends that never began')
        else marks.pop()
      } else if (operator === 'Tf') {
        const found = lookUpPdfDict(lookUpPdfDict(within, 'Font'), plainName(first))
        font = found && (fonts.get(found) ?? readPdfFont(found))
        if (found && font) fonts.set(found, font)
      } else if (operator === 'Do')
        drawObject(lookUpPdfObject(lookUpPdfDict(within, 'XObject'), plainName(first)), within, depth)
      else if (operator === 'TJ') show(font, Array.isArray(first) ? (first as readonly Operand[]) : [])
      else if (['Tj', "'", '"'].includes(operator)) show(font, operands)
      else if (PAINTS.has(operator)) paint('A drawing')
    }
    if (marks.length !== began) findings.add('A mark never ends')
  }
  const drawObject = (object: PDFObject | undefined, within: PDFDict | undefined, depth: number) => {
    if (!(object instanceof PDFStream)) return
    if (readPdfName(lookUpPdfObject(object.dict, 'Subtype')) !== 'Form') paint('A picture')
    else if (depth < 20) walk(readPdfBytes(object), lookUpPdfDict(object.dict, 'Resources') ?? within, depth + 1)
  }
  walk(contents, resources, 0)
  return { findings: [...findings], marked }
}

/** Returns a name without its slash, or an empty string if the operand is not a name. */
const plainName = (operand: Operand | undefined): string => (typeof operand === 'string' ? operand.slice(1) : '')

/** Decodes a text string (ISO 32000-1, 7.9.2), which is UTF-16 if it has a byte order mark. */
const decode = (bytes: Buffer): string =>
  bytes[0] === 0xfe && bytes[1] === 0xff
    ? Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
    : bytes.toString('latin1')
