import { PDFDict, type PDFDocument, PDFNumber } from 'pdf-lib'
import { at, dictAt, listAt, membersOf, nameOf, numberOf, textOf } from './objects.ts'

/** A structure element with its children. */
export interface Tag {
  /** Standard type to which its own type is mapped. */
  readonly type: string
  readonly dict: PDFDict
  readonly kids: readonly Tag[]
  /** Its marked contents, each with its page. */
  readonly contents: readonly { readonly page: PDFDict | undefined; readonly id: number }[]
  readonly annotations: readonly PDFDict[]
}

/** ISO 32000-1, 14.8.4. */
export const STANDARD = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form'
  ).split(' '),
)

/** Structure tree of a document from its root, and the faults that prevent reading it. */
export function readStructure(document: PDFDocument): { readonly roots: readonly Tag[]; readonly findings: string[] } {
  const findings = new Set<string>()
  const root = dictAt(document.catalog, 'StructTreeRoot')
  if (!root) return { roots: [], findings: ['There are no tags'] }
  const roles = dictAt(root, 'RoleMap')
  const standard = (type: string, seen: readonly string[] = []): string => {
    const other = nameOf(at(roles, type))
    if (other && STANDARD.has(type)) findings.add(`The tag ${type} is given another meaning`)
    if (STANDARD.has(type)) return type
    if (seen.includes(type)) findings.add(`The tag ${type} stands for itself`)
    else if (other) return standard(other, [...seen, type])
    findings.add(`The tag ${type} stands for none that readers know`)
    return type
  }
  const seen = new Set<PDFDict>()
  const read = (dict: PDFDict, parent: PDFDict, pageAbove: PDFDict | undefined): Tag => {
    const type = standard(nameOf(at(dict, 'S')) ?? '')
    if (seen.has(dict)) findings.add(`A tag ${type} stands in two places`)
    seen.add(dict)
    if (at(dict, 'P') !== parent) findings.add(`A tag ${type} does not know what it stands in`)
    const page = dictAt(dict, 'Pg') ?? pageAbove
    const kids: Tag[] = []
    const contents: { page: PDFDict | undefined; id: number }[] = []
    const annotations: PDFDict[] = []
    for (const kid of membersOf(at(dict, 'K'))) {
      if (kid instanceof PDFNumber) contents.push({ page, id: kid.asNumber() })
      if (!(kid instanceof PDFDict)) continue
      const kind = nameOf(at(kid, 'Type'))
      if (kind === 'MCR') contents.push({ page: dictAt(kid, 'Pg') ?? page, id: numberOf(at(kid, 'MCID')) ?? -1 })
      else if (kind === 'OBJR') annotations.push(...[dictAt(kid, 'Obj')].filter((one) => one !== undefined))
      else if (!seen.has(kid)) kids.push(read(kid, dict, page))
      else findings.add('A tag stands in two places')
    }
    return { type, dict, kids, contents, annotations }
  }
  const roots = listAt(root, 'K').flatMap((kid) => (kid instanceof PDFDict ? [read(kid, root, undefined)] : []))
  return { roots, findings: [...findings] }
}

/** Tags with all their descendants, in reading order. */
export const allOf = (tags: readonly Tag[]): Tag[] => tags.flatMap((tag) => [tag, ...allOf(tag.kids)])

const attributesOf = ({ dict }: Tag): PDFDict[] =>
  listAt(dict, 'A').flatMap((one) => (one instanceof PDFDict ? [one] : []))

export const attribute = (tag: Tag, name: string) =>
  attributesOf(tag)
    .map((one) => at(one, name))
    .find((one) => one !== undefined)

/** Alternative or replacement text of a tag. */
export const spoken = ({ dict }: Tag): string | undefined => textOf(at(dict, 'Alt')) ?? textOf(at(dict, 'ActualText'))
