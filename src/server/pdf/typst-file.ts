/** An object of a PDF: what stands before its stream, if it has one, and the rest as it is. */
export interface PdfObject {
  readonly id: number
  /** From `<<` or `[` to the end of the object, or to its stream. Latin-1. */
  readonly head: string
  /** From `stream` on. */
  readonly tail: Buffer | undefined
}

/** A PDF as Typst writes it: a table of objects, none of them in streams; and what its catalogue leads to. */
export interface TypstFile {
  /** The highest id of an object. */
  readonly last: number
  readonly objects: () => Generator<PdfObject>
  readonly head: (id: number) => string
  readonly catalog: string
  readonly root: number
  readonly info: number
  /** The ids of its pages, in their order. */
  readonly pages: readonly number[]
  /** Its bookmarks, without those below them: the object that says where each leads to, and the number of that page, from 0. */
  readonly bookmarks: readonly { readonly place: number; readonly page: number }[]
}

/** Reads a PDF that Typst has written. Throws for another kind of file. */
export function readTypstFile(pdf: Buffer): TypstFile {
  const table = Number(/startxref\s+(\d+)/.exec(pdf.toString('latin1', Math.max(0, pdf.length - 1024)))?.[1])
  const start = /^xref\n0 (\d+)\n/.exec(pdf.toString('latin1', table, table + 40))
  if (!start) throw new Error('This is no PDF that Typst has written: it has no table of objects.')
  const [first, count] = [table + start[0].length, Number(start[1])]
  const offsets = Array.from({ length: count }, (_, id) =>
    Number(pdf.toString('latin1', first + id * ENTRY, first + id * ENTRY + 10)),
  )
  const ends = endsOf(offsets, table)
  const objectAt = (id: number): PdfObject => splitObject(pdf.subarray(offsets[id], ends.get(id)), id)
  const head = (id: number) => objectAt(id).head
  const trailer = pdf.toString('latin1', first + count * ENTRY)
  const root = refIn(trailer, 'Root')
  const catalog = head(root)
  const pages = refsIn(listIn(head(refIn(catalog, 'Pages')), 'Kids'))
  const order = new Map(pages.map((id, i) => [id, i]))
  const bookmarks = [...topOf(catalog, head)].map((bookmark) => {
    const place = refIn(bookmark, 'Dest')
    return { place, page: order.get(refsIn(head(place))[0] ?? 0) ?? 0 }
  })
  return {
    last: count - 1,
    *objects() {
      for (let id = 1; id < count; id++) yield objectAt(id)
    },
    head,
    catalog,
    root,
    info: refIn(trailer, 'Info'),
    pages,
    bookmarks,
  }
}

/** Bytes of a line of the table. */
const ENTRY = 20

/** Where each object ends: where the next one in the file begins. */
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

/** The object that a name refers to; 0 where the name isn't there. */
export const refIn = (text: string, name: string): number =>
  Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? 0)

/** What is between the brackets behind a name. */
export const listIn = (text: string, name: string): string =>
  new RegExp(`/${name} \\[([^\\]]*)\\]`).exec(text)?.[1] ?? ''

export const refsIn = (list: string): number[] => [...list.matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id))

/** The bookmarks of the first level, one after the other. */
function* topOf(catalog: string, head: (id: number) => string): Generator<string> {
  const outline = refIn(catalog, 'Outlines')
  for (let id = outline && refIn(head(outline), 'First'); id; id = refIn(head(id), 'Next')) yield head(id)
}
