import { allAnswered } from '../api/early.ts'
import type { Router } from './routes.tsx'

/** As long as answers are waited for that would be drawn at once: the frame of a page says more than nothing. */
const LONGEST_MS = 400

/** The page and the session are known, and what was asked early has come. */
export async function readyToDraw(router: Router): Promise<void> {
  if (!router.state.initialized)
    await new Promise<void>((done) => {
      const undo = router.subscribe(({ initialized }) => {
        if (!initialized) return
        undo()
        done()
      })
    })
  await Promise.race([allAnswered(), new Promise((done) => setTimeout(done, LONGEST_MS))])
}

/** While the first page and the session are on their way; `index.html` has the same, for before there is a script. */
export const Starting = () => (
  <div className="starting" role="status" aria-label="Loading">
    <span />
    <span />
    <span />
  </div>
)
