import type { CachedPage } from '../cache/cached-page.ts'
import { showMoment } from '../../dates/uk-dates.ts'
import { OfflineBand } from '../../ui/states.tsx'

/** Said above what is not what the portal says now, and once it is again: what follows stays where it is. */
export default function CachedPageBand({ shown: { at, over } }: { readonly shown: CachedPage }) {
  return (
    <OfflineBand>
      {over
        ? 'The connection is back. What you see has been read anew.'
        : `No connection. This is the copy kept here at ${timeOf(at)}. What you type, sign and fill in is kept on this device too, and sent when there is a connection again.`}
    </OfflineBand>
  )
}

/** `14:05`, with the day where it is another. */
function timeOf(at: number): string {
  const [then, now] = [at, Date.now()].map((ms) => showMoment(new Date(ms).toISOString()))
  return then?.slice(0, 10) === now?.slice(0, 10) ? (then ?? '').slice(-5) : (then ?? '')
}
