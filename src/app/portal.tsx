import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Portal } from '#web/shell/portal.tsx'
import { standing } from '#web/shell/standing.ts'
import { startWorker } from '#web/shell/worker.ts'
import { rooms } from './rooms.web.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Portal rooms={rooms} />
  </StrictMode>,
)

void standing.then(startWorker)
