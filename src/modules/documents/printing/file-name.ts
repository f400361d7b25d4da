/** What no file system or header bears: controls, marks that turn text round, and the signs of paths. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu
const LONGEST = 100

/** The name of a PDF file, in whatever letters the document is called. */
export const pdfNameOf = (called: string): string =>
  `${Array.from(called.toWellFormed().replace(REFUSED, ' ').replace(/\s+/g, ' ').trim()).slice(0, LONGEST).join('').trim()}.pdf`

/** The name of a revision's paper, wherever it is told, saved or sent. */
export const paperName = (
  { documentNumber, revision }: { readonly documentNumber: string; readonly revision: number },
  title: string,
): string => pdfNameOf(`${documentNumber} rev ${revision} ${title}`)
