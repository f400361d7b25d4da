import { PDFDict, type PDFDocument, PDFNumber } from 'pdf-lib'
import {
  lookUpPdfArray,
  lookUpPdfDict,
  lookUpPdfObject,
  readPdfArray,
  readPdfName,
  readPdfNumber,
  readPdfText,
} from './objects.ts'

/** A structure element with its children. */
export interface PdfTag {
  /** Standard structure type; a custom type is replaced by the one to which it is mapped. */
  readonly type: string
  readonly dict: PDFDict
  readonly kids: readonly PdfTag[]
  /** Marked content of the tag: its number and its page. */
  readonly contents: readonly { readonly page: PDFDict | undefined; readonly id: number }[]
  readonly annotations: readonly PDFDict[]
}

/** Standard structure types (ISO 32000-1, 14.8.4). */
export const STANDARD_TAG_TYPES = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form'
  ).split(' '),
)

/** Reads the structure tree of a document from its root. Also returns the faults that prevented reading the tree. */
export function readPdfStructure(document: PDFDocument): {
  readonly roots: readonly PdfTag[]
  readonly findings: string[]
} {
  const findings = new Set<string>()
  const root = lookUpPdfDict(document.catalog, 'StructTreeRoot')
  if (!root) return { roots: [], findings: ['There are no tags'] }
  const roles = lookUpPdfDict(root, 'RoleMap')
  const standard = (type: string, seen: readonly string[] = []): string => {
    const other = readPdfName(lookUpPdfObject(roles, type))
    if (other && STANDARD_TAG_TYPES.has(type)) findings.add(`The tag ${type} is given another meaning`)
    if (STANDARD_TAG_TYPES.has(type)) return type
    if (seen.includes(type)) findings.add(`The tag ${type} stands for itself`)
    else if (other) return standard(other, [...seen, type])
    findings.add(`The tag ${type} stands for none that readers know`)
    return type
  }
  const seen = new Set<PDFDict>()
  const read = (dict: PDFDict, parent: PDFDict, pageAbove: PDFDict | undefined): PdfTag => {
    const type = standard(readPdfName(lookUpPdfObject(dict, 'S')) ?? '')
    if (seen.has(dict)) findings.add(`A tag ${type} stands in two places`)
    seen.add(dict)
    if (lookUpPdfObject(dict, 'P') !== parent) findings.add(`A tag ${type} does not know what it stands in`)
    const page = lookUpPdfDict(dict, 'Pg') ?? pageAbove
    const kids: PdfTag[] = []
    const contents: { page: PDFDict | undefined; id: number }[] = []
    const annotations: PDFDict[] = []
    for (const kid of readPdfArray(lookUpPdfObject(dict, 'K'))) {
      if (kid instanceof PDFNumber) contents.push({ page, id: kid.asNumber() })
      if (!(kid instanceof PDFDict)) continue
      const kind = readPdfName(lookUpPdfObject(kid, 'Type'))
      if (kind === 'MCR')
        contents.push({ page: lookUpPdfDict(kid, 'Pg') ?? page, id: readPdfNumber(lookUpPdfObject(kid, 'MCID')) ?? -1 })
      else if (kind === 'OBJR') annotations.push(...[lookUpPdfDict(kid, 'Obj')].filter((one) => one !== undefined))
      else if (!seen.has(kid)) kids.push(read(kid, dict, page))
      else findings.add('A tag stands in two places')
    }
    return { type, dict, kids, contents, annotations }
  }
  const roots = lookUpPdfArray(root, 'K').flatMap((kid) => (kid instanceof PDFDict ? [read(kid, root, undefined)] : []))
  return { roots, findings: [...findings] }
}

/** Returns tags with all their descendants, in reading order. */
export const flattenTags = (tags: readonly PdfTag[]): PdfTag[] => tags.flatMap((tag) => [tag, ...flattenTags(tag.kids)])

const attributesOf = ({ dict }: PdfTag): PDFDict[] =>
  lookUpPdfArray(dict, 'A').flatMap((one) => (one instanceof PDFDict ? [one] : []))

export const readTagAttribute = (tag: PdfTag, name: string) =>
  attributesOf(tag)
    .map((one) => lookUpPdfObject(one, name))
    .find((one) => one !== undefined)

/** Returns the alternative or replacement text of a tag. */
export const alternativeText = ({ dict }: PdfTag): string | undefined =>
  readPdfText(lookUpPdfObject(dict, 'Alt')) ?? readPdfText(lookUpPdfObject(dict, 'ActualText'))
