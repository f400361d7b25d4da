import { PDFDict, type PDFDocument, type PDFObject } from 'pdf-lib'
import { lookUpPdfArray, lookUpPdfObject, readPdfName, readPdfNumber, readPdfText } from './objects.ts'
import type { PdfTag } from './structure.ts'

/**
 * Returns the faults in annotations: annotations other than links; links outside any tag, without a reference to their
 * tag, without text or without a description; and pages whose tab order is unsuitable for links.
 */
export function checkPdfUaLinks(
  document: PDFDocument,
  tags: readonly PdfTag[],
  parents: ReadonlyMap<number, PDFObject>,
  textIn: (tag: PdfTag) => string,
): string[] {
  const holder = new Map(tags.flatMap((tag) => tag.annotations.map((annotation) => [annotation, tag] as const)))
  return document.getPages().flatMap(({ node }, i) => {
    const annotations = lookUpPdfArray(node, 'Annots').filter((one) => one instanceof PDFDict)
    const wrong = annotations.flatMap((annotation) => {
      const tag = holder.get(annotation)
      if (readPdfName(lookUpPdfObject(annotation, 'Subtype')) !== 'Link') return ['has an annotation that is no link']
      if (tag?.type !== 'Link') return ['has a link that no tag holds']
      const parent = parents.get(readPdfNumber(lookUpPdfObject(annotation, 'StructParent')) ?? -1)
      return [
        ...(parent === tag.dict ? [] : ['has a link that does not know its tag']),
        ...(textIn(tag).trim() ? [] : ['has a link without words']),
        ...(readPdfText(lookUpPdfObject(annotation, 'Contents'))?.trim()
          ? []
          : ['has a link that does not say where it leads']),
      ]
    })
    const order =
      annotations.length && readPdfName(lookUpPdfObject(node, 'Tabs')) !== 'S'
        ? ['has links in no order of the keyboard']
        : []
    return [...wrong, ...order].map((what) => `Page ${i + 1} ${what}`)
  })
}
