import { type Fetched, fetchFile, keepFile } from './file.ts'

const KEEP_MS = 10 * 60_000

/** Fetches a PDF. Throws an ApiError in the server's words. */
const fetchPdf = (url: string): Promise<Fetched> =>
  fetchFile(url, {
    accept: 'application/pdf, application/ld+json',
    lost: 'The connection was lost before the PDF was there. Please try again.',
    refused: 'The PDF could not be made. Please try again.',
  })

/** Saves a PDF to the person's own disk, under the name that the server gives it. Throws an ApiError. */
export async function savePdf(url: string): Promise<void> {
  const { bytes, name = 'document.pdf' } = await fetchPdf(url)
  keepFile(bytes, name)
}

/**
 * Shows a PDF in a tab of its own. The tab is opened at once: later, a browser would take it for an advertisement. A browser
 * that shows none, as on many phones, saves it under its name.
 */
export async function openPdf(url: string): Promise<void> {
  if (!navigator.pdfViewerEnabled) return savePdf(url)
  const tab = window.open('', '_blank')
  if (tab) tab.document.title = 'Making the PDF…'
  try {
    const { bytes } = await fetchPdf(url)
    const there = URL.createObjectURL(bytes)
    setTimeout(() => URL.revokeObjectURL(there), KEEP_MS)
    if (tab) tab.location.href = there
    else window.location.href = there
  } catch (e) {
    tab?.close()
    throw e
  }
}
