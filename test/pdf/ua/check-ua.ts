import { PDFArray, type PDFDict, PDFDocument, type PDFObject } from 'pdf-lib'
import { checkPdfUaFile } from './check-file.ts'
import { checkPdfUaLinks } from './check-links.ts'
import { checkPdfUaTags } from './check-tags.ts'
import { type DrawnContent, readDrawnContent } from './drawn.ts'
import {
  lookUpPdfDict,
  lookUpPdfObject,
  readPdfArray,
  readPdfBytes,
  readPdfNumber,
  readPdfNumberTree,
} from './objects.ts'
import { flattenTags, type PdfTag, readPdfStructure } from './structure.ts'

/**
 * Returns the breaches of PDF/UA-1 (ISO 14289-1) as sentences; empty if there are none. The check parses the file
 * independently, and covers the machine-checkable conditions of the Matterhorn Protocol that apply to our files (ADR
 * 51).
 */
export async function checkPdfUa(pdf: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: true })
  const { roots, findings } = readPdfStructure(document)
  const tags = flattenTags(roots)
  const parents = readPdfNumberTree(lookUpPdfDict(lookUpPdfDict(document.catalog, 'StructTreeRoot'), 'ParentTree'))
  const pages = new Map<PDFDict, DrawnContent>(
    document.getPages().map(({ node }) => [node, readDrawnContent(contentsOf(node), node.Resources())]),
  )
  const textIn = (tag: PdfTag): string =>
    [
      ...tag.contents.map(({ page, id }) => (page && pages.get(page)?.marked.get(id)) ?? ''),
      ...tag.kids.map(textIn),
    ].join('')
  return [
    ...checkPdfUaFile(document),
    ...findings,
    ...[...pages.values()].flatMap((drawn, i) => drawn.findings.map((what) => `Page ${i + 1}: ${what}`)),
    ...checkHeld(tags, pages, parents),
    ...checkPdfUaTags(roots, textIn),
    ...checkPdfUaLinks(document, tags, parents, textIn),
  ]
}

const contentsOf = (page: PDFDict): Buffer =>
  Buffer.concat(
    readPdfArray(lookUpPdfObject(page, 'Contents')).flatMap((stream) => [readPdfBytes(stream), Buffer.from('\n')]),
  )

/** Returns the faults where marked content and tags do not refer to each other. */
function checkHeld(
  tags: readonly PdfTag[],
  pages: ReadonlyMap<PDFDict, DrawnContent>,
  parents: ReadonlyMap<number, PDFObject>,
): string[] {
  const holders = new Map<string, PDFDict>()
  const order = [...pages.keys()]
  const key = (page: PDFDict | undefined, id: number) => `${page ? order.indexOf(page) : -1} ${id}`
  const findings: string[] = []
  for (const { dict, type, contents } of tags)
    for (const { page, id } of contents) {
      if (!page || !pages.get(page)?.marked.has(id)) findings.push(`A tag ${type} holds what is on no page`)
      if (holders.has(key(page, id))) findings.push('Two tags hold the same')
      holders.set(key(page, id), dict)
    }
  for (const [i, [page, { marked }]] of [...pages].entries()) {
    const known = parents.get(readPdfNumber(lookUpPdfObject(page, 'StructParents')) ?? -1)
    for (const id of marked.keys()) {
      const holder = holders.get(key(page, id))
      if (!holder) findings.push(`Page ${i + 1} has contents that no tag holds`)
      else if (!(known instanceof PDFArray) || known.lookup(id) !== holder)
        findings.push(`Page ${i + 1} has contents that do not know their tag`)
    }
  }
  return [...new Set(findings)]
}
