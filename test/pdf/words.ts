import { PDFiumLibrary } from '@hyzyla/pdfium'

/** The words of each page of a PDF, with one space between any two. */
export async function textsOf(pdf: Buffer): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  try {
    return [...document.pages()].map((page) => page.getText().replace(/\s+/g, ' '))
  } finally {
    document.destroy()
    library.destroy()
  }
}

/** All words of a PDF, with one space between any two. */
export const wordsOf = async (pdf: Buffer): Promise<string> => (await textsOf(pdf)).join(' ').replace(/\s+/g, ' ')

/** All words of the PDF that an address answered with. */
export const answeredWords = ({ raw }: { readonly raw?: Buffer | undefined }): Promise<string> =>
  wordsOf(raw ?? Buffer.alloc(0))
