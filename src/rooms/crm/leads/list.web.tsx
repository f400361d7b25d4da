import { Alert, Button, Group, Pagination, Text } from '@mantine/core'
import { IconPhoneCall, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { Shortcut } from '#web/ui/shortcut.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { leadPath, useStartCalling } from '../calling/start-calling.web.ts'
import { leadsOptions, prefetchLead } from '../contacts/data.web.ts'
import { placeIn, rememberPlace } from '../contacts/list-place.web.ts'
import { PAGE_SIZE } from '../contacts/list-state.web.ts'
import { useListParams, useListState } from '../contacts/use-list.web.ts'
import { ListCards } from './cards.web.tsx'
import { NoLeads } from './empty.web.tsx'
import { ListTable } from './table.web.tsx'
import { ListTabs } from './tabs.web.tsx'
import { ListToolbar } from './toolbar.web.tsx'

/** The leads, what is due first. */
export default function LeadList() {
  const { state, from, change, clear } = useListState()
  const { params } = useListParams(from)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const phone = useIsPhone()
  const asked = leadsOptions({ ...params, page: state.page, itemsPerPage: PAGE_SIZE })
  const list = useQuery({ ...asked, placeholderData: keepPreviousData, refetchInterval: 60_000 })
  const leads = list.data?.['hydra:member'] ?? []
  const total = list.data?.['hydra:totalItems']
  const pages = total === undefined ? 1 : Math.max(1, Math.ceil(total / PAGE_SIZE))
  const calling = useStartCalling(from, params)
  const ready = list.data !== undefined
  const pathOf = (id: number) => leadPath(id, from)
  const open = (id: number) => {
    rememberPlace({ from, scroll: window.scrollY, lead: id })
    prefetchLead(queries, id)
    void navigate(pathOf(id))
  }
  useBackInPlace(from, ready)
  useEffect(() => {
    void import('../calling/view.web.tsx')
  }, [])

  return (
    <Page
      title="Leads"
      actions={
        <>
          <Button
            component={Link}
            to="/cms/contact/create"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            New lead
          </Button>
          <Button
            leftSection={<IconPhoneCall size={16} aria-hidden />}
            rightSection={<Shortcut keys="c" />}
            aria-keyshortcuts="c"
            loading={calling.busy}
            onClick={calling.start}
          >
            Start calling
          </Button>
        </>
      }
    >
      <Finished />
      <OfflineNotice />
      <ListTabs state={state} found={state.tab === 'SEARCH' && !list.isPlaceholderData ? total : undefined} />
      <ListToolbar state={state} change={change} />
      {!ready && list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !ready && list.fetchStatus === 'paused' ? (
        <ErrorState error="There is no connection. The list comes as soon as there is one." />
      ) : !ready ? (
        <LoadingRows rows={12} height={phone ? 110 : 44} />
      ) : leads.length === 0 ? (
        <NoLeads state={state} change={change} clear={clear} />
      ) : phone ? (
        <ListCards leads={leads} pathOf={pathOf} open={open} />
      ) : (
        <ListTable
          leads={leads}
          state={state}
          change={change}
          pathOf={pathOf}
          open={open}
          stale={list.isPlaceholderData}
        />
      )}
      {pages > 1 && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {((state.page - 1) * PAGE_SIZE + 1).toLocaleString('en-GB')}–
            {Math.min(state.page * PAGE_SIZE, total ?? 0).toLocaleString('en-GB')} of {total?.toLocaleString('en-GB')}
          </Text>
          <Pagination
            total={pages}
            value={state.page}
            onChange={(page) => {
              change({ page })
              window.scrollTo({ top: 0 })
            }}
            siblings={phone ? 0 : 1}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          />
        </Group>
      )}
    </Page>
  )
}

/** Coming back, the list stands where it stood and the lead that was opened has the focus. */
function useBackInPlace(from: string, ready: boolean) {
  useEffect(() => {
    const place = ready ? placeIn(from) : undefined
    if (!place) return
    const frame = requestAnimationFrame(() => {
      window.scrollTo({ top: place.scroll })
      document.querySelector<HTMLElement>(`[data-lead="${place.lead}"]`)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [from, ready])
}

/** Why the calling has come to an end here. */
function Finished() {
  const location = useLocation()
  const navigate = useNavigate()
  const told = (location.state as { finished?: string } | null)?.finished
  if (!told) return null
  return (
    <Alert
      color="green"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => void navigate(location.pathname + location.search, { replace: true, preventScrollReset: true })}
    >
      {told}
    </Alert>
  )
}
