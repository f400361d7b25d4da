import { waitForPrefetches } from '../api/early-requests.ts'
import type { AppRouter } from './routes.tsx'

/**
 * Maximum time to wait for responses before the first render, in milliseconds. After that, an empty page frame is
 * better than nothing.
 */
const MAX_WAIT_MS = 400

/** Waits for the page, the session and the early responses before the first render. */
export async function waitForFirstRender(router: AppRouter): Promise<void> {
  if (!router.state.initialized)
    await new Promise<void>((done) => {
      const undo = router.subscribe(({ initialized }) => {
        if (!initialized) return
        undo()
        done()
      })
    })
  await Promise.race([waitForPrefetches(), new Promise((done) => setTimeout(done, MAX_WAIT_MS))])
}

/**
 * Loading screen, shown while the first page and the session load. `index.html` shows the same screen before scripts
 * run.
 */
export const LoadingScreen = () => (
  <div className="starting" role="status" aria-label="Loading">
    <span />
    <span />
    <span />
  </div>
)
