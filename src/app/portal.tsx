import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { waitForFirstRender } from '#web/shell/loading-screen.tsx'
import { isShownWithoutNavigation } from '#web/shell/pages/known-pages.ts'
import { PortalApp } from '#web/shell/portal.tsx'
import { makeRouter } from '#web/shell/routes.tsx'
import { registerServiceWorker } from '#web/shell/worker.ts'
import { applyTypeface, fetchTypeface } from '#web/theme/typeface.ts'
import { modules } from './modules.web.ts'

const router = makeRouter(modules)
const root = createRoot(document.getElementById('root') as HTMLElement)

const ready = waitForFirstRender(router)

// Until the first render, the HTML page shows its own loading state. Waiting for the early data and rendering once is
// faster than rendering twice.
void Promise.all([ready, applyTypeface(isShownWithoutNavigation(router), ready).catch(() => undefined)]).then(() =>
  root.render(
    <StrictMode>
      <PortalApp modules={modules} router={router} />
    </StrictMode>,
  ),
)

void firstScreenReady.then(registerServiceWorker)
void firstScreenReady.then(() => fetchTypeface(router)).catch(() => undefined)
