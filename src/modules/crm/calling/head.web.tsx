import { ActionIcon, Button, Group } from '@mantine/core'
import { IconArrowLeft, IconShoppingBag } from '@tabler/icons-react'
import { use } from 'react'
import { Link, useLocation } from 'react-router'
import { StepButtons } from '#web/lists/pager/step-buttons.tsx'
import { Shortcut } from '#web/ui/keys/shortcut.tsx'
import { BesideBackContext } from '#web/ui/page-sign.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type Lead, leadName } from '../contacts/data.web.ts'
import { ResultChip } from '../contacts/parts.web.tsx'
import css from './calling.module.css'
import { SETTLED, salePath } from './start-calling.web.ts'
import type { Neighbour, useNeighbours } from './use-neighbours.web.ts'

interface Props {
  readonly lead: Lead
  readonly near: ReturnType<typeof useNeighbours>
  readonly go: (to: Promise<Neighbour | undefined>) => Promise<void>
  /** URL of the list. */
  readonly back: string
  /**
   * Opened from the lead list, whose record pager skips leads that have been dealt with; other lists use the standard
   * pager.
   */
  readonly isListed: boolean
  /** The call queue supplies the leads, so their list position says nothing about progress. */
  readonly calling: boolean
}

export function LeadHead({ lead, near, go, back, isListed, calling }: Props) {
  const beside = use(BesideBackContext)
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
      <PageTitle>{leadName(lead)}</PageTitle>
      <Group gap="xs" className={css.chips}>
        <ResultChip lead={lead} />
        {lead.ir35 && <StatusChip meaning="info">IR35</StatusChip>}
        {lead.doNotCall && <StatusChip meaning="stop">Do not call</StatusChip>}
        {lead.retired && <StatusChip>Retired</StatusChip>}
      </Group>
      <Group gap={4} wrap="nowrap" className={css.steps}>
        <Button
          component={Link}
          to={salePath(lead.id, search)}
          state={SETTLED}
          variant="light"
          leftSection={<IconShoppingBag size={16} aria-hidden />}
          rightSection={<Shortcut keys="s" />}
          aria-keyshortcuts="s"
        >
          Sell
        </Button>
        {!isListed && beside}
        {isListed && (
          <StepButtons
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
