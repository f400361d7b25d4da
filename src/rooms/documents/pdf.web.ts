import { ApiError } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'

const KEEP_MS = 10 * 60_000

/** The PDF of a document, fetched in the name of the person signed in. */
async function fetchPdf(iri: string): Promise<Blob> {
  if (session.stale()) await session.renew().catch(() => false)
  const answer = await fetch(`${iri}/pdf`, {
    headers: { authorization: `Bearer ${session.token()}`, accept: 'application/pdf, application/ld+json' },
  }).catch(() => undefined)
  if (!answer) throw new ApiError(0, 'The connection was lost before the PDF was there. Please try again.')
  if (!answer.ok) throw new ApiError(answer.status, 'The PDF could not be made. Please try again.')
  return answer.blob()
}

/** Shows the PDF in a tab of its own. The tab is opened at once: later, a browser would take it for an advertisement. */
export async function openPdf(iri: string): Promise<void> {
  const tab = window.open('', '_blank')
  if (tab) tab.document.title = 'Making the PDF…'
  try {
    const url = URL.createObjectURL(await fetchPdf(iri))
    setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
    if (tab) tab.location.href = url
    else window.location.href = url
  } catch (e) {
    tab?.close()
    throw e
  }
}
