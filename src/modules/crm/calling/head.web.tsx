import { ActionIcon, Button, Group } from '@mantine/core'
import { IconArrowLeft, IconShoppingBag } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Collection } from '#web/api/client.ts'
import { RecordPagerButtons } from '#web/lists/pager/step-buttons.tsx'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { PageTitle, RecordPagerContext } from '#web/ui/page-title.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type LeadRecord, leadName, leadsOptions } from '../contacts/data.web.ts'
import { LEADS_PAGE_SIZE, readLeadListState, writeLeadListState } from '../contacts/list-state.web.ts'
import { LeadResultChip } from '../contacts/parts.web.tsx'
import { leadsDealtWith, useLeadListParams } from '../contacts/use-list.web.ts'
import css from './calling.module.css'
import { leadSalePath, SETTLED_STATE } from './on-from-sale.web.tsx'

interface NeighbourLead {
  readonly id: number
  /** Query of the list page that contains it. */
  readonly from: string
}

/** The previous and next leads in the original list, across page boundaries. */
export function useNeighbourLeads(id: number, from: string | undefined) {
  const queries = useQueryClient()
  const { state, params } = useLeadListParams(from ?? '')
  // Query as of the opening of the lead: later changes of the list don't move the neighbours.
  const [asked] = useState(params)
  const page = (n: number) => leadsOptions({ ...asked, page: n, itemsPerPage: LEADS_PAGE_SIZE })
  const list = useQuery({ ...page(state.page), enabled: from !== undefined, staleTime: 5 * 60_000 }).data
  const rows = list?.['hydra:member'] ?? []
  const at = rows.findIndex((l) => l.id === id)
  const before = at > 0 ? rows[at - 1] : undefined
  const after = rows.find((l, i) => i > at && !leadsDealtWith.has(l.id))
  const last = Math.ceil((list?.['hydra:totalItems'] ?? 0) / LEADS_PAGE_SIZE)

  const over = async (by: 1 | -1): Promise<NeighbourLead | undefined> => {
    const n = state.page + by
    if (n < 1 || n > last || at < 0) return undefined
    const other: Collection<LeadRecord> = await queries.ensureQueryData(page(n))
    const lead = other['hydra:member'].at(by > 0 ? 0 : -1)
    return (
      lead && { id: lead.id, from: writeLeadListState({ ...readLeadListState(new URLSearchParams(from)), page: n }) }
    )
  }
  const near = (lead: LeadRecord | undefined) => lead && from !== undefined && { id: lead.id, from }
  return {
    following: after?.id,
    place:
      at < 0 ? undefined : { at: (state.page - 1) * LEADS_PAGE_SIZE + at + 1, of: list?.['hydra:totalItems'] ?? 0 },
    before: async () => near(before) || over(-1),
    after: async () => near(after) || over(1),
    hasBefore: before !== undefined || (at === 0 && state.page > 1),
    hasAfter: after !== undefined || (at >= 0 && state.page < last),
  }
}

interface Props {
  readonly lead: LeadRecord
  readonly near: ReturnType<typeof useNeighbourLeads>
  readonly go: (to: Promise<NeighbourLead | undefined>) => Promise<void>
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
      <PageTitle>{leadName(lead)}</PageTitle>
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
          state={SETTLED_STATE}
          variant="light"
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
