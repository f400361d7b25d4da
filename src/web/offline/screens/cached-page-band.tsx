import { formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import { OfflineBanner } from '../../ui/states.tsx'
import type { CachedPage } from '../cache/cached-page.ts'

/**
 * Banner above a page that shows cached responses. The banner stays after the responses are refreshed, to prevent the
 * layout from shifting.
 */
export default function CachedPageBanner({ page: { at, over } }: { readonly page: CachedPage }) {
  return (
    <OfflineBanner>
      {over
        ? 'The connection is back. This page is up to date again.'
        : `No connection. This page was stored on this device at ${timeOf(at)}. What you type, sign and fill in is stored on this device too, and will be sent when the connection is back.`}
    </OfflineBanner>
  )
}

/** Formats a time as `14:05`. The date is added unless it is today. */
function timeOf(at: number): string {
  const [then, now] = [at, Date.now()].map((ms) => formatIsoAsUkDateTime(new Date(ms).toISOString()))
  return then?.slice(0, 10) === now?.slice(0, 10) ? (then ?? '').slice(-5) : (then ?? '')
}
