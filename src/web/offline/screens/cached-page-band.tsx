import { showMoment } from '../../dates/uk-dates.ts'
import { OfflineBand } from '../../ui/states.tsx'
import type { CachedPage } from '../cache/cached-page.ts'

/** Says above a page that it shows cached answers. It stays once they are refreshed, so that nothing moves. */
export default function CachedPageBand({ page: { at, over } }: { readonly page: CachedPage }) {
  return (
    <OfflineBand>
      {over
        ? 'The connection is back. What you see has been read anew.'
        : `No connection. This is the copy kept here at ${timeOf(at)}. What you type, sign and fill in is kept on this device too, and sent when there is a connection again.`}
    </OfflineBand>
  )
}

/** `14:05`, with the date where it is not today. */
function timeOf(at: number): string {
  const [then, now] = [at, Date.now()].map((ms) => showMoment(new Date(ms).toISOString()))
  return then?.slice(0, 10) === now?.slice(0, 10) ? (then ?? '').slice(-5) : (then ?? '')
}
