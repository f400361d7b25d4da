import file from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { createBrowserRouter } from 'react-router'

const FACE = '1em "Source Sans 3 Variable"'
const KEPT = 'stanchion-face'
/** As long as the first drawing waits for a face that this device has. */
const LONGEST_MS = 400

const wear = () => document.documentElement.setAttribute('data-face', '')

/**
 * Before the first drawing: wears the portal's face where this device has it, and on a page that stands alone: whoever follows a
 * link to one has no next screen to see it on. Where it comes later than what is to be drawn, the page is drawn in another, and keeps that.
 */
export async function wearFace(alone: boolean, ready: Promise<unknown>): Promise<void> {
  if (!alone && !localStorage.getItem(KEPT)) return
  const late = Promise.all([ready, new Promise((done) => setTimeout(done, LONGEST_MS))])
  const [face] = await Promise.race([document.fonts.load(FACE), late.then((): readonly FontFace[] => [])])
  if (face) wear()
}

/** Fetches the face, and wears it from the next screen on: whoever signs in for the first time sees what they will see later. */
export async function fetchFace(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  const [face] = await document.fonts.load(FACE)
  if (!face) return
  localStorage.setItem(KEPT, file)
  const from = router.state.location.pathname
  const undo = router.subscribe(({ location }) => {
    if (location.pathname === from) return
    undo()
    wear()
  })
}
