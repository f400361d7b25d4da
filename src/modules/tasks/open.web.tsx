import { Anchor } from '@mantine/core'
import { useEffect } from 'react'
import { TASK_SITE_PATH } from '#kernel/roles.ts'
import { LoadingScreen } from '#web/shell/loading-screen.tsx'
import { Page } from '#web/ui/page.tsx'

/** True if this document itself was loaded at the path of My-Task, so that loading it again would change nothing. */
const wasLoadedHere = (): boolean => {
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded !== undefined && new URL(loaded.name).pathname === TASK_SITE_PATH
}

/** Opens My-Task, which is a document of its own with fewer scripts. */
export default function OpenTaskSite() {
  const isStuck = wasLoadedHere()
  useEffect(() => {
    if (!isStuck) location.replace(TASK_SITE_PATH)
  }, [isStuck])
  if (!isStuck) return <LoadingScreen />
  return (
    <Page title="My-Task">
      <p>My-Task is not on this device yet. Connect to the internet once, and open it again.</p>
      <Anchor href="/dashboard">Dashboard</Anchor>
    </Page>
  )
}
