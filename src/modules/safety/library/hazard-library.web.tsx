import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { useOpened } from '#web/ui/opened/use-opened.ts'
import type { OnAdd } from './hazard-browser.web.tsx'
import { HazardTabs } from './hazard-tabs.web.tsx'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  /** IRI of the document's risk industry: its hazards come first. */
  readonly industry?: string
  /** Ids of hazards that the document has. */
  readonly exclude?: readonly number[]
  /** Called once for each hazard, with the controls that were chosen for it. */
  readonly onAdd: OnAdd
}

/** The side sheet from which a document takes its hazards; it stays open, as several are added. */
export function HazardLibrary({ opened, onClose, industry, exclude, onAdd }: Props) {
  const phone = useIsPhone()
  return (
    <Drawer
      opened={useOpened(opened, onClose)}
      onClose={onClose}
      position={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 'min(1040px, 92vw)'}
      title="Hazard library"
    >
      <HazardTabs industry={industry} exclude={exclude} onAdd={onAdd} />
    </Drawer>
  )
}
