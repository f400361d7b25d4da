import { PDFDict } from 'pdf-lib'
import { lookUpPdfArray, lookUpPdfDict, lookUpPdfObject, readPdfBytes, readPdfName } from './objects.ts'

/** A font of a page: its faults, and the text to which its codes are mapped. */
export interface PdfFont {
  readonly name: string
  readonly findings: readonly string[]
  /** Text by character code. Codes have two bytes, as in all our composite fonts. */
  readonly letters: ReadonlyMap<number, string>
}

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3']

/** Reads a font of a page. Supports only composite fonts, and reports any other font as a finding. */
export function readPdfFont(font: PDFDict): PdfFont {
  const name = readPdfName(lookUpPdfObject(font, 'BaseFont')) ?? 'a font'
  const [below] = lookUpPdfArray(font, 'DescendantFonts')
  if (readPdfName(lookUpPdfObject(font, 'Subtype')) !== 'Type0' || !(below instanceof PDFDict))
    return { name, findings: [`The font ${name} is not a composite one`], letters: new Map() }
  const letters = lettersOf(readPdfBytes(lookUpPdfObject(font, 'ToUnicode')).toString('latin1'))
  const embedded = PROGRAMS.some((program) => lookUpPdfDict(lookUpPdfDict(below, 'FontDescriptor'), program))
  const mapped =
    readPdfName(lookUpPdfObject(below, 'Subtype')) !== 'CIDFontType2' ||
    lookUpPdfObject(below, 'CIDToGIDMap') !== undefined
  const findings = [
    ...(embedded ? [] : [`The font ${name} is not embedded`]),
    ...(mapped ? [] : [`The font ${name} does not say which glyph is which`]),
    ...(letters.size ? [] : [`The font ${name} does not say which letters it shows`]),
  ]
  return { name, findings, letters }
}

const HEX = '<\\s*([\\da-fA-F]+)\\s*>\\s*'
const SECTION = /begin(bfchar|bfrange)([\s\S]*?)endbf/g
const code = (hex: string | undefined) => Number.parseInt(hex ?? '', 16)

function letterOf(hex = ''): string {
  const units = hex.match(/.{4}/g) ?? []
  return String.fromCharCode(...units.map(code))
}

/** Returns the mapping from codes to Unicode (ISO 32000-1, 9.10.3). */
function lettersOf(cmap: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, kind, body = ''] of cmap.matchAll(SECTION)) {
    if (kind === 'bfchar')
      for (const [, from, to] of body.matchAll(new RegExp(HEX + HEX, 'g'))) letters.set(code(from), letterOf(to))
    else
      for (const [, from, last, to] of body.matchAll(new RegExp(HEX + HEX + HEX, 'g')))
        for (let i = code(from); i <= code(last); i++)
          letters.set(i, String.fromCodePoint((letterOf(to).codePointAt(0) ?? 0) + i - code(from)))
  }
  return letters
}
