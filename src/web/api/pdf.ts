import { ApiError } from './client.ts'
import { session } from './session.ts'

const KEEP_MS = 10 * 60_000

/** Fetches a PDF in the name of the person signed in. */
async function fetchPdf(url: string): Promise<Blob> {
  if (session.stale()) await session.renew().catch(() => false)
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${session.token()}`, accept: 'application/pdf, application/ld+json' },
  }).catch(() => undefined)
  if (!answer) throw new ApiError(0, 'The connection was lost before the PDF was there. Please try again.')
  if (!answer.ok) throw new ApiError(answer.status, 'The PDF could not be made. Please try again.')
  return answer.blob()
}

/** Shows a PDF in a tab of its own. The tab is opened at once: later, a browser would take it for an advertisement. */
export async function openPdf(url: string): Promise<void> {
  const tab = window.open('', '_blank')
  if (tab) tab.document.title = 'Making the PDF…'
  try {
    const there = URL.createObjectURL(await fetchPdf(url))
    setTimeout(() => URL.revokeObjectURL(there), KEEP_MS)
    if (tab) tab.location.href = there
    else window.location.href = there
  } catch (e) {
    tab?.close()
    throw e
  }
}
