import { Alert, Button } from '@mantine/core'
import { IconPhoneCall, IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { paginationParams, useList } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import type { FilterSpec } from '#web/lists/filters.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonWithAvatar } from '#web/ui/people/avatar.tsx'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import type { LeadSelection } from '../assigning/assign.web.tsx'
import { PreviousLeadNoteField } from '../calling/late-note.web.tsx'
import { leadPathFromList, useStartCalling } from '../calling/start-calling.web.ts'
import { contact } from '../contacts/contact.ts'
import { LeadDueCell, LeadResultChip, LeadTelephone } from '../contacts/contact-parts.web.tsx'
import { formatLeadName, type LeadRecord, prefetchLead, staffQueryOptions } from '../contacts/data.web.ts'
import { businessType, importBatch } from '../contacts/import-batch.ts'
import { DEFAULT_LEAD_LIST, DUE_FILTERS, LEADS_PAGE_SIZE, type LeadListState } from '../contacts/list-state.web.ts'
import { useCallBlockReason, useLastNoteTimes } from '../contacts/use-held-leads.web.ts'
import { useLeadListParams, useLeadListState } from '../contacts/use-list.web.ts'
import { BULK_MAIL_ROLES } from '../mail/template.ts'
import { EmptyLeadList } from './empty.web.tsx'
import css from './leads.module.css'
import { LeadListTabs } from './tabs.web.tsx'

/** Columns of the lead list: due date, company, contact, telephone number and last outcome. */
const COLUMNS: readonly ColumnSpec<LeadRecord>[] = [
  { key: 'callbackDate', title: 'Due', tight: true, render: (lead) => <LeadDueCell lead={lead} /> },
  { key: 'companyName', title: 'Company', link: true, render: formatLeadName },
  { key: 'name', title: 'Contact', render: (lead) => lead.name || '—' },
  {
    key: 'phone',
    title: 'Telephone',
    fields: ['phone;mobile'],
    tight: true,
    render: (lead) => <LeadTelephone lead={lead} />,
  },
  {
    key: 'lastResult',
    title: 'Last result',
    tight: true,
    render: (lead) => <LeadResultChip lead={lead} />,
  },
  {
    key: 'owner',
    title: 'Owner',
    order: 'owner.name',
    wide: true,
    inCard: false,
    render: (lead) => (lead.owner ? <PersonWithAvatar name={lead.owner.name} /> : 'Unassigned'),
  },
]

/** Returns the columns of the lead list, including the age of each lead's last note, empty until it is known. */
const leadColumns = (lastNoteTime: ReturnType<typeof useLastNoteTimes>): readonly ColumnSpec<LeadRecord>[] => [
  ...COLUMNS,
  {
    key: 'lastNote',
    title: 'Last note',
    fields: ['createdAt'],
    inFile: 'Created',
    wide: true,
    inCard: false,
    render: (lead) => {
      const at = lastNoteTime(lead.id)
      return (
        <span className={css.lastNote}>{at === undefined ? null : <RelativeTimeText at={at} empty="No note" />}</span>
      )
    },
  },
]

const MailToMany = lazyComponent(() => import('../mail/mail-batch-dialog.web.tsx'))
const LettersForMany = lazyComponent(() => import('../letters/print-letters.web.tsx'))

interface Props {
  /** URL query that finds the leads. */
  readonly from: string
  readonly count: number
}

/** Buttons that let authorised users write to many leads, by e-mail or post. */
function WriteToManyButtons({ from, count }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<'mail' | 'letter'>()
  const wasOpen = useWasEverTrue(open !== undefined)
  const close = () => setOpen(undefined)
  if (!hasRole(actor, BULK_MAIL_ROLES)) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen('mail')}>
        E-mail
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('letter')}>
        Letter
      </Button>
      {wasOpen && (
        <Suspense>
          <MailToMany from={from} count={count} opened={open === 'mail'} onClose={close} />
          <LettersForMany from={from} count={count} opened={open === 'letter'} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** Returns the filters of the lead list, except for category and search. `owner` is the selected owner. */
function useLeadFilters(owner: string): readonly FilterSpec[] {
  const everybody = useQuery(staffQueryOptions).data?.['hydra:member'] ?? []
  const named = everybody
    .toSorted((a, b) => Number(a.tray) - Number(b.tray))
    .map((s) => ({ value: s.username ?? '', label: s.tray ? `${s.name} (tray)` : (s.name ?? '') }))
  const known = ['', 'mine', 'none'].includes(owner) || named.some((o) => o.value === owner)
  return [
    {
      key: 'owner',
      label: 'Owner',
      options: [
        { value: 'mine', label: 'My leads' },
        { value: 'none', label: 'Unassigned' },
        ...(known ? [] : [{ value: owner, label: owner }]),
        ...named,
      ],
    },
    { key: 'due', label: 'Due', options: Object.entries(DUE_FILTERS).map(([value, label]) => ({ value, label })) },
    { key: 'type', label: 'Business type', target: businessType },
    { key: 'batch', label: 'Import', target: importBatch },
  ]
}

const AssignDialog = lazyComponent(() => import('../assigning/assign-dialog.web.tsx'))

/**
 * Returns the dialog to render, and a function that opens it for a selection of leads: `const [dialog, assignLeads] =
 * useAssignDialog()`.
 */
function useAssignDialog(): readonly [ReactNode, (which: LeadSelection) => void] {
  const [which, setWhich] = useState<LeadSelection>()
  const [opened, setOpened] = useState(false)
  const dialog = which && (
    <Suspense>
      <AssignDialog
        which={which}
        opened={opened}
        onClose={() => setOpened(false)}
        onReset={() => setWhich(undefined)}
      />
    </Suspense>
  )
  return [
    dialog,
    (asked) => {
      setWhich(asked)
      setOpened(true)
    },
  ]
}

/**
 * Returns the part of the list state that the list component can change. Default values are returned as empty strings.
 */
const shownOf = ({ tab, owner, due, type, batch, q, order, page }: LeadListState) => ({
  page,
  q,
  order,
  category: tab,
  owner: owner === DEFAULT_LEAD_LIST.owner ? '' : owner,
  due,
  type,
  batch,
})

/** The lead list, earliest due first. */
export default function LeadListPage() {
  const { state, from, change, clear } = useLeadListState()
  const { params } = useLeadListParams(from)
  const queries = useQueryClient()
  const calling = useStartCalling(from, params)
  const shown = shownOf(state)
  const filters = useLeadFilters(shown.owner)
  const keepsLeads = hasRole(useActor(), 'ROLE_LEADS_ADMIN')
  const [assigning, giveOut] = useAssignDialog()
  const page = useList(contact, paginationParams(params, shown.page, LEADS_PAGE_SIZE)).data
  const listed = page?.['hydra:member'] ?? []
  const ids = listed.map(({ id }) => id)
  const held = useCallBlockReason(ids)
  const columns = leadColumns(useLastNoteTimes(ids))
  const set = ({ owner, ...more }: Partial<Omit<LeadListState, 'tab'>>) =>
    change(
      { ...more, ...(owner === undefined ? {} : { owner: owner || DEFAULT_LEAD_LIST.owner }) },
      'q' in more && state.q !== '',
    )
  useEffect(() => {
    void firstScreenReady
      .then(() => Promise.all([import('../calling/view.web.tsx'), import('../calling/details.web.tsx')]))
      .catch(() => undefined)
  }, [])

  return (
    <Page
      title="Leads"
      actions={
        <>
          {keepsLeads && page?.['hydra:totalItems'] !== 0 && (
            <Button
              variant="default"
              leftSection={<IconUsers size={16} aria-hidden />}
              onClick={() => giveOut({ all: true, params })}
            >
              Assign leads
            </Button>
          )}
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
            rightSection={<ShortcutKeys keys="c" />}
            aria-keyshortcuts="c"
            loading={calling.busy}
            onClick={calling.start}
          >
            {state.q ? `Call leads found for “${short(state.q)}”` : 'Start calling'}
          </Button>
        </>
      }
    >
      <Finished />
      <PreviousLeadNoteField />
      <div className={css.list}>
        <LeadListTabs state={state} params={params} />
        <DataList
          resource={contact}
          label="Leads"
          state={shown}
          onState={set}
          asked={params}
          columns={columns}
          filters={filters}
          search="Search by company, person, number or town"
          size={LEADS_PAGE_SIZE}
          rowBarred={held}
          refreshMs={60_000}
          {...(keepsLeads
            ? {
                chosenActions: (rows: readonly LeadRecord[]) => (
                  <Button size="xs" variant="default" onClick={() => giveOut({ ids: rows.map((row) => row['@id']) })}>
                    Assign leads
                  </Button>
                ),
              }
            : {})}
          href={(lead) => leadPathFromList(lead.id, from)}
          onNear={(lead) => prefetchLead(queries, lead.id)}
          foundActions={(from, count) => <WriteToManyButtons from={from} count={count} />}
          nothing={<EmptyLeadList state={state} change={change} clear={clear} />}
        />
      </div>
      {assigning}
    </Page>
  )
}

/** Shortens search terms for display. */
const short = (words: string) => (words.length > 20 ? `${words.slice(0, 19)}…` : words)

/** Message shown when a calling session has ended. */
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
