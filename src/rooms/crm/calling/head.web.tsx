import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconShoppingBag } from '@tabler/icons-react'
import { Link } from 'react-router'
import { figure } from '#kernel/text.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Shortcut } from '#web/ui/shortcut.tsx'
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
  /** The address of the list. */
  readonly back: string
}

export function LeadHead({ lead, near, go, back }: Props) {
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
        {lead.wonAt && <StatusChip meaning="safe">Customer, signed</StatusChip>}
        {lead.doNotCall && <StatusChip meaning="stop">Do not call</StatusChip>}
        {lead.retired && <StatusChip>Retired</StatusChip>}
      </Group>
      <Group gap={4} wrap="nowrap" className={css.steps}>
        <Button
          component={Link}
          to={salePath(lead.id)}
          state={SETTLED}
          variant="light"
          leftSection={<IconShoppingBag size={16} aria-hidden />}
          rightSection={<Shortcut keys="s" />}
          aria-keyshortcuts="s"
        >
          Sell
        </Button>
        {near.place && (
          <Text size="sm" c="dimmed" className={css.place}>
            {figure(near.place.at)} of {figure(near.place.of)}
          </Text>
        )}
        <Step label="Lead before (←)" on={near.hasBefore} run={() => void go(near.before())} icon={IconChevronLeft} />
        <Step label="Next lead (→)" on={near.hasAfter} run={() => void go(near.after())} icon={IconChevronRight} />
      </Group>
    </div>
  )
}

interface StepProps {
  readonly label: string
  readonly on: boolean
  readonly run: () => void
  readonly icon: typeof IconChevronLeft
}

const Step = ({ label, on, run, icon: Picture }: StepProps) => (
  <ActionIcon
    size="lg"
    variant="default"
    title={label}
    aria-label={label.replace(/ \(.*/, '')}
    disabled={!on}
    onClick={run}
  >
    <Picture size={20} aria-hidden />
  </ActionIcon>
)
