import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { useOpenAfterRender } from '#web/ui/overlays/use-opened.ts'
import type { AddHazardHandler } from './hazard-browser.web.tsx'
import { HazardTabs } from './hazard-tabs.web.tsx'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  /** IRI of the document's industry, whose hazards are listed first. */
  readonly industry?: string
  /** IDs of hazards already in the document. */
  readonly exclude?: readonly number[]
  /** Called once per hazard, with its selected controls. */
  readonly onAdd: AddHazardHandler
}

/** Side panel to add hazards to a document. Stays open, so that several hazards can be added. */
export function HazardLibraryPanel({ opened, onClose, industry, exclude, onAdd }: Props) {
  const phone = useIsPhone()
  return (
    <Drawer
      opened={useOpenAfterRender(opened, onClose)}
      onClose={onClose}
      position={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 'min(1040px, 92vw)'}
      title="Hazard library"
    >
      <HazardTabs industry={industry} exclude={exclude} onAdd={onAdd} />
    </Drawer>
  )
}
