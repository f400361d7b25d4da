import { formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import { OfflineBanner } from '../../ui/states.tsx'
import type { CachedPage } from '../cache/cached-page.ts'

interface Props {
  readonly page: CachedPage
  /** Data that the device stores on this page without a connection. */
  readonly stores: 'typed' | 'submitted' | undefined
}

const STORED = {
  typed:
    'What you enter on this page is stored on this device too, and sent when the connection is back. What you enter in a dialog is not stored until you confirm it.',
  submitted:
    'What you sign or submit is stored on this device too, and sent when the connection is back. Text that you have not submitted is not stored.',
} as const

/**
 * Banner above a page that shows cached responses. The banner stays after the responses are refreshed, to prevent the
 * layout from shifting.
 */
export default function CachedPageBanner({ page: { at, over }, stores = 'submitted' }: Props) {
  return (
    <OfflineBanner>
      {over
        ? 'The connection is back. This page is up to date again.'
        : `No connection. This page was stored on this device at ${timeOf(at)}. ${STORED[stores]}`}
    </OfflineBanner>
  )
}

/** Formats a time as `14:05`. The date is added unless it is today. */
function timeOf(at: number): string {
  const [then, now] = [at, Date.now()].map((ms) => formatIsoAsUkDateTime(new Date(ms).toISOString()))
  return then?.slice(0, 10) === now?.slice(0, 10) ? (then ?? '').slice(-5) : (then ?? '')
}
