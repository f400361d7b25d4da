import { ActionIcon, Button, Group } from '@mantine/core'
import { IconArrowLeft, IconShoppingBag } from '@tabler/icons-react'
import { use } from 'react'
import { Link, useLocation } from 'react-router'
import { RecordPagerButtons } from '#web/lists/pager/step-buttons.tsx'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { RecordPagerContext } from '#web/ui/page-sign.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { LeadResultChip } from '../contacts/contact-parts.web.tsx'
import { formatLeadName, type LeadRecord } from '../contacts/data.web.ts'
import css from './calling.module.css'
import { leadSalePath, SKIP_UNSAVED_WARNING_STATE } from './start-calling.web.ts'
import type { NeighbourLead, useNeighbourLeads } from './use-neighbours.web.ts'

interface Props {
  readonly lead: LeadRecord
  readonly near: ReturnType<typeof useNeighbourLeads>
  readonly go: (to: Promise<NeighbourLead | undefined>) => Promise<void>
  /** URL of the list to which the user returns. */
  readonly back: string
  /**
   * Whether the lead was opened from the lead list, whose record pager skips leads that have been dealt with. Other
   * lists use the standard pager.
   */
  readonly isListed: boolean
  /**
   * Whether the leads come from the call queue. If so, the position in the list is not shown, because it says nothing
   * about progress.
   */
  readonly calling: boolean
}

export function LeadHeader({ lead, near, go, back, isListed, calling }: Props) {
  const beside = use(RecordPagerContext)
  const { search } = useLocation()
  return (
    <div className={css.head}>
      <ActionIcon
        title="Back to the list (Esc)"
        component={Link}
        to={back}
        preventScrollReset
        size="lg"
        variant="subtle"
        color="gray"
        aria-label="Back to the list"
      >
        <IconArrowLeft size={20} aria-hidden />
      </ActionIcon>
      <PageTitle>{formatLeadName(lead)}</PageTitle>
      <Group gap="xs" className={css.chips}>
        <LeadResultChip lead={lead} />
        {lead.ir35 && <StatusChip meaning="info">IR35</StatusChip>}
        {lead.doNotCall && <StatusChip meaning="stop">Do not call</StatusChip>}
        {lead.retired && <StatusChip>Retired</StatusChip>}
      </Group>
      <Group gap={4} wrap="nowrap" className={css.steps}>
        <Button
          component={Link}
          to={leadSalePath(lead.id, search)}
          state={SKIP_UNSAVED_WARNING_STATE}
          variant="outline"
          leftSection={<IconShoppingBag size={16} aria-hidden />}
          rightSection={<ShortcutKeys keys="s" />}
          aria-keyshortcuts="s"
        >
          Sell
        </Button>
        {!isListed && beside}
        {isListed && (
          <RecordPagerButtons
            place={calling ? undefined : near.place}
            before="Previous lead"
            after="Next lead"
            hasBefore={near.hasBefore}
            hasAfter={near.hasAfter}
            onBefore={() => void go(near.before())}
            onAfter={() => void go(near.after())}
          />
        )}
      </Group>
    </div>
  )
}
