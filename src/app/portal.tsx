import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { standsAlone } from '#web/shell/pages/known-pages.ts'
import { Portal } from '#web/shell/portal.tsx'
import { makeRouter } from '#web/shell/routes.tsx'
import { standing } from '#web/shell/standing.ts'
import { readyToDraw } from '#web/shell/starting.tsx'
import { startWorker } from '#web/shell/worker.ts'
import { applyTypeface, fetchTypeface } from '#web/theme/typeface.ts'
import { modules } from './modules.web.ts'

const router = makeRouter(modules)
const root = createRoot(document.getElementById('root') as HTMLElement)

const ready = readyToDraw(router)

// The page shows its own loading state until then. Rendering once, with the early data, is faster.
void Promise.all([ready, applyTypeface(standsAlone(router), ready).catch(() => undefined)]).then(() =>
  root.render(
    <StrictMode>
      <Portal modules={modules} router={router} />
    </StrictMode>,
  ),
)

void standing.then(startWorker)
void standing.then(() => fetchTypeface(router)).catch(() => undefined)
