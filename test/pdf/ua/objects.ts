import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFStream,
  PDFString,
} from 'pdf-lib'

/** Returns the value of a dictionary key, with references resolved. */
export const lookUpPdfObject = (dict: PDFDict | undefined, name: string): PDFObject | undefined =>
  dict?.lookup(PDFName.of(name))

export const lookUpPdfDict = (dict: PDFDict | undefined, name: string): PDFDict | undefined => {
  const found = lookUpPdfObject(dict, name)
  if (found instanceof PDFStream) return found.dict
  return found instanceof PDFDict ? found : undefined
}

export const lookUpPdfArray = (dict: PDFDict | undefined, name: string): PDFObject[] =>
  readPdfArray(lookUpPdfObject(dict, name))

/** Returns the members of an array, with references resolved. A single object is treated as an array of one. */
export function readPdfArray(found: PDFObject | undefined): PDFObject[] {
  if (found === undefined) return []
  if (!(found instanceof PDFArray)) return [found]
  return Array.from({ length: found.size() }, (_, i) => found.lookup(i)).filter((one) => one !== undefined)
}

export const readPdfName = (found: PDFObject | undefined): string | undefined =>
  found instanceof PDFName ? found.decodeText() : undefined

export const readPdfText = (found: PDFObject | undefined): string | undefined =>
  found instanceof PDFString || found instanceof PDFHexString ? found.decodeText() : undefined

export const readPdfNumber = (found: PDFObject | undefined): number | undefined =>
  found instanceof PDFNumber ? found.asNumber() : undefined

export const isPdfTrue = (found: PDFObject | undefined): boolean => found === PDFBool.True

/** Returns the decoded bytes of a stream. */
export const readPdfBytes = (found: PDFObject | undefined): Buffer =>
  found instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(found).decode()) : Buffer.alloc(0)

/** Reads a number tree (ISO 32000-1, 7.9.7) into a map. */
export function readPdfNumberTree(root: PDFDict | undefined): Map<number, PDFObject> {
  const all = new Map<number, PDFObject>()
  const numbers = lookUpPdfArray(root, 'Nums')
  for (let i = 0; i + 1 < numbers.length; i += 2) all.set(readPdfNumber(numbers[i]) ?? -1, numbers[i + 1] as PDFObject)
  for (const kid of lookUpPdfArray(root, 'Kids'))
    if (kid instanceof PDFDict) for (const [key, value] of readPdfNumberTree(kid)) all.set(key, value)
  return all
}
