/** Characters not allowed in file names or headers: controls, bidirectional marks and path characters. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu
const MAX_NAME_LENGTH = 100

/** File name of a PDF, which keeps the script of the document's title. */
export const pdfFileName = (called: string): string =>
  `${Array.from(called.toWellFormed().replace(REFUSED, ' ').replace(/\s+/g, ' ').trim()).slice(0, MAX_NAME_LENGTH).join('').trim()}.pdf`

/** File name of a revision's PDF, the same on screen, when saved and when sent. */
export const pdfFileNameOfRevision = (
  { documentNumber, revision }: { readonly documentNumber: string; readonly revision: number },
  title: string,
): string => pdfFileName(`${documentNumber} rev ${revision} ${title}`)
