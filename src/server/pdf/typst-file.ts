/** A PDF object: the text before its stream, and the remaining bytes unchanged. */
export interface PdfObject {
  readonly id: number
  /** Text from `<<` or `[` to the stream or, if there is none, to the end of the object. Latin-1. */
  readonly head: string
  /** Bytes from the keyword `stream` onwards. */
  readonly tail: Buffer | undefined
}

/**
 * A PDF written by Typst: a table of objects, none of which are in object streams, and the objects that the catalogue
 * refers to.
 */
export interface ParsedTypstPdf {
  /** Highest object ID. */
  readonly last: number
  readonly objects: () => Generator<PdfObject>
  readonly head: (id: number) => string
  readonly catalog: string
  readonly root: number
  readonly info: number
  /** Object IDs of the pages, in order. */
  readonly pages: readonly number[]
  /**
   * Top-level bookmarks, each with the ID of the object that contains its destination, and its page number counted from
   * 0.
   */
  readonly bookmarks: readonly { readonly place: number; readonly page: number }[]
}

/** Parses a PDF written by Typst. Throws for any other file. */
export function parseTypstPdf(pdf: Buffer): ParsedTypstPdf {
  const table = Number(/startxref\s+(\d+)/.exec(pdf.toString('latin1', Math.max(0, pdf.length - 1024)))?.[1])
  const start = /^xref\n0 (\d+)\n/.exec(pdf.toString('latin1', table, table + 40))
  if (!start) throw new Error('This PDF was not written by Typst: it has no table of objects.')
  const [first, count] = [table + start[0].length, Number(start[1])]
  const offsets = Array.from({ length: count }, (_, id) =>
    Number(pdf.toString('latin1', first + id * ENTRY, first + id * ENTRY + 10)),
  )
  const ends = endsOf(offsets, table)
  const objectAt = (id: number): PdfObject => splitObject(pdf.subarray(offsets[id], ends.get(id)), id)
  const head = (id: number) => objectAt(id).head
  const trailer = pdf.toString('latin1', first + count * ENTRY)
  const root = pdfReferenceForKey(trailer, 'Root')
  const catalog = head(root)
  const pages = pdfReferencesInList(pdfListForKey(head(pdfReferenceForKey(catalog, 'Pages')), 'Kids'))
  const order = new Map(pages.map((id, i) => [id, i]))
  const bookmarks = [...topOf(catalog, head)].map((bookmark) => {
    const place = pdfReferenceForKey(bookmark, 'Dest')
    return { place, page: order.get(pdfReferencesInList(head(place))[0] ?? 0) ?? 0 }
  })
  return {
    last: count - 1,
    *objects() {
      for (let id = 1; id < count; id++) yield objectAt(id)
    },
    head,
    catalog,
    root,
    info: pdfReferenceForKey(trailer, 'Info'),
    pages,
    bookmarks,
  }
}

/** Length of a line in the cross-reference table, in bytes. */
const ENTRY = 20

/** Returns the end of each object: the start of the next object in the file. */
function endsOf(offsets: readonly number[], table: number): ReadonlyMap<number, number> {
  const inOrder = offsets.map((at, id) => ({ at, id })).slice(1)
  inOrder.sort((a, b) => a.at - b.at)
  return new Map(inOrder.map(({ id }, i) => [id, inOrder[i + 1]?.at ?? table]))
}

const STREAM = Buffer.from('>>\nstream\n')

function splitObject(bytes: Buffer, id: number): PdfObject {
  const begins = bytes.indexOf('obj\n') + 4
  const stream = bytes.indexOf(STREAM)
  const ends = stream < 0 ? bytes.lastIndexOf('\nendobj') : stream + 3
  return {
    id,
    head: bytes.toString('latin1', begins, ends),
    tail: stream < 0 ? undefined : bytes.subarray(stream + 3, bytes.lastIndexOf('endobj')),
  }
}

/** Returns the ID of the object that a key refers to; 0 if the key is missing. */
export const pdfReferenceForKey = (text: string, name: string): number =>
  Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? 0)

/** Returns the text between the square brackets after a key. */
export const pdfListForKey = (text: string, name: string): string =>
  new RegExp(`/${name} \\[([^\\]]*)\\]`).exec(text)?.[1] ?? ''

export const pdfReferencesInList = (list: string): number[] =>
  [...list.matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id))

/** Yields the top-level bookmarks in order. */
function* topOf(catalog: string, head: (id: number) => string): Generator<string> {
  const outline = pdfReferenceForKey(catalog, 'Outlines')
  for (let id = outline && pdfReferenceForKey(head(outline), 'First'); id; id = pdfReferenceForKey(head(id), 'Next'))
    yield head(id)
}
