import { Tabs } from '@mantine/core'
import { z } from 'zod'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { StatementManager, TaskTable } from '../statements/item-manager.web.tsx'
import { HazardTabs } from './hazard-tabs.web.tsx'
import { PpeList } from './ppe-list.web.tsx'

const TAB = z.object({ tab: z.enum(['hazards', 'statements', 'tasks', 'ppe']).default('hazards') })

/** Library page: hazards, statements, tasks and protective equipment. */
export default function LibraryPage() {
  const [{ tab }, set] = useUrlState(TAB, { steps: true })
  return (
    <Page title="Hazard library">
      <OfflineNotice />
      <Tabs value={tab} keepMounted={false} onChange={(next) => next && set({ tab: next as typeof tab })}>
        <Tabs.List mb="md">
          <Tabs.Tab value="hazards">Hazards</Tabs.Tab>
          <Tabs.Tab value="statements">Standard statements</Tabs.Tab>
          <Tabs.Tab value="tasks">Tasks</Tabs.Tab>
          <Tabs.Tab value="ppe">PPE</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hazards">
          <HazardTabs />
        </Tabs.Panel>
        <Tabs.Panel value="statements">
          <StatementManager />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <TaskTable />
        </Tabs.Panel>
        <Tabs.Panel value="ppe">
          <PpeList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
