import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Portal } from '#web/shell/portal.tsx'
import { startWorker } from '#web/shell/worker.ts'
import { finds } from './finds.ts'
import { pages } from './pages.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Portal pages={pages} finds={finds} />
  </StrictMode>,
)

void startWorker()
