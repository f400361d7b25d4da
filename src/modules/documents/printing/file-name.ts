/** Characters not allowed in file names or headers: controls, bidirectional marks and path characters. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|]+/gu
const MAX_NAME_LENGTH = 100

/** Returns the file name of a PDF. Non-Latin characters in the document's title are kept. */
export const pdfFileName = (called: string): string =>
  `${Array.from(called.toWellFormed().replace(REFUSED, ' ').replace(/\s+/g, ' ').trim()).slice(0, MAX_NAME_LENGTH).join('').trim()}.pdf`

/** Returns the file name of a revision's PDF. The name is the same on screen, when saved and when sent. */
export const revisionPdfFileName = (
  { documentNumber, revision }: { readonly documentNumber: string; readonly revision: number },
  title: string,
): string => pdfFileName(`${documentNumber} rev ${revision} ${title}`)
