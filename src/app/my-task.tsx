import '#web/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import TaskSite from '#modules/tasks/task-site.web.tsx'
import { enterTaskSite } from '#web/shell/navigation/task-site.ts'
import { registerServiceWorker } from '#web/shell/worker.ts'
import { applyDesignTokens } from '#web/theme/apply-tokens.ts'

applyDesignTokens()
enterTaskSite()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <TaskSite />
  </StrictMode>,
)

addEventListener('load', () => void registerServiceWorker())
