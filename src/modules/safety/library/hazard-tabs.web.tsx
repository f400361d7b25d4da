import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { libraryOwnerOf } from '../statements/selection.ts'
import type { LibraryControl, LibraryHazard } from './data.web.ts'
import { hazard } from './hazard.ts'
import { type AddHazardHandler, HazardBrowser } from './hazard-browser.web.tsx'
import { HazardControlForm, HazardForm, HazardGroupForm } from './hazard-forms.web.tsx'

interface Props {
  readonly industry?: string | undefined
  readonly exclude?: readonly number[] | undefined
  readonly onAdd?: AddHazardHandler | undefined
}

/** The hazard library. Users who can edit the library also get tabs to create or edit hazards, controls and groups. */
export function HazardTabs({ industry, exclude = [], onAdd }: Props) {
  const actor = useActor()
  const [tab, setTab] = useState('choose')
  const [active, setActive] = useState<LibraryHazard>()
  const [editing, setEditing] = useState<number>()
  const [control, setControl] = useState<LibraryControl>()
  const go = (next: string) => {
    setEditing(undefined)
    setControl(undefined)
    setTab(next)
  }
  const back = () => go('choose')
  const browser = (
    <HazardBrowser
      industry={industry}
      exclude={exclude}
      onAdd={onAdd}
      active={active}
      onActive={setActive}
      onEdit={() => {
        setEditing(active?.id)
        setTab('hazard')
      }}
      onControl={(k) => {
        setControl(k)
        setTab('control')
      }}
    />
  )
  if (!can(actor, 'create', hazard)) return browser
  const own = active && can(actor, 'update', hazard, { clientId: libraryOwnerOf(active) })
  return (
    <Tabs value={tab} onChange={(next) => next && go(next)} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="choose">Library</Tabs.Tab>
        <Tabs.Tab value="hazard">{editing !== undefined && own ? 'Edit hazard' : 'New hazard'}</Tabs.Tab>
        <Tabs.Tab value="control">{control ? 'Edit control' : 'New control'}</Tabs.Tab>
        <Tabs.Tab value="group">Groups</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="choose" keepMounted>
        {browser}
      </Tabs.Panel>
      <Tabs.Panel value="hazard">
        <HazardForm {...(editing === undefined ? {} : { id: editing })} group={active?.group['@id']} onDone={back} />
      </Tabs.Panel>
      <Tabs.Panel value="control">
        {active ? (
          <HazardControlForm {...(control ? { id: control.id } : {})} of={active} onDone={back} />
        ) : (
          <EmptyState title="Choose a hazard first">Each control belongs to a hazard in the library.</EmptyState>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="group">
        <HazardGroupForm onDone={back} />
      </Tabs.Panel>
    </Tabs>
  )
}
