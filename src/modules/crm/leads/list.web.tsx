import { Alert, Button } from '@mantine/core'
import { IconPhoneCall, IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { pageParams, useList } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import type { FilterSpec } from '#web/lists/filters.ts'
import { standing } from '#web/shell/standing.ts'
import { Shortcut } from '#web/ui/keys/shortcut.tsx'
import { lazily } from '#web/ui/lazily.tsx'
import { Page } from '#web/ui/page.tsx'
import { useEver } from '#web/ui/use-ever.ts'
import type { ToAssign } from '../assigning/assign.web.tsx'
import { LateNoteBox } from '../calling/late-note.web.tsx'
import { leadPath, useStartCalling } from '../calling/start-calling.web.ts'
import { contact } from '../contacts/contact.ts'
import { type Lead, prefetchLead, staffOptions } from '../contacts/data.web.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { DUE, type ListState, PAGE_SIZE, START } from '../contacts/list-state.web.ts'
import { businessType } from '../contacts/lookups.ts'
import { useHeld, useLastNotes } from '../contacts/use-held.web.ts'
import { useListParams, useListState } from '../contacts/use-list.web.ts'
import { MAIL_BATCHERS } from '../mail/rights.ts'
import { columnsWith } from './columns.web.tsx'
import { NoLeads } from './empty.web.tsx'
import css from './leads.module.css'
import { ListTabs } from './tabs.web.tsx'

const MailToMany = lazily(() => import('../mail/to-many.web.tsx'))
const LettersForMany = lazily(() => import('../letters/for-many.web.tsx'))

interface Props {
  /** URL of the query that finds the leads. */
  readonly from: string
  readonly count: number
}

/** Buttons to write to many leads, by e-mail or post, for authorised users. */
function WriteToMany({ from, count }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<'mail' | 'letter'>()
  const wasOpen = useEver(open !== undefined)
  const close = () => setOpen(undefined)
  if (!hasRole(actor, MAIL_BATCHERS)) return null
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

/** Filters of the lead list besides category and search. `owner` is the selected one. */
function useFilters(owner: string): readonly FilterSpec[] {
  const everybody = useQuery(staffOptions).data?.['hydra:member'] ?? []
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
    { key: 'due', label: 'Due', options: Object.entries(DUE).map(([value, label]) => ({ value, label })) },
    { key: 'type', label: 'Business type', target: businessType },
    { key: 'batch', label: 'Import', target: importBatch },
  ]
}

const AssignDialog = lazily(() => import('../assigning/assign-dialog.web.tsx'))

/** `const [dialog, assignLeads] = useAssignDialog()`: render `dialog`; `assignLeads(selection)` opens it. */
function useAssign(): readonly [ReactNode, (which: ToAssign) => void] {
  const [which, setWhich] = useState<ToAssign>()
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

/** The part of the state that the list component changes; default values are empty. */
const shownOf = ({ tab, owner, due, type, batch, q, order, page }: ListState) => ({
  page,
  q,
  order,
  category: tab,
  owner: owner === START.owner ? '' : owner,
  due,
  type,
  batch,
})

/** The lead list, earliest due first. */
export default function LeadList() {
  const { state, from, change, clear } = useListState()
  const { params } = useListParams(from)
  const queries = useQueryClient()
  const calling = useStartCalling(from, params)
  const shown = shownOf(state)
  const filters = useFilters(shown.owner)
  const keepsLeads = hasRole(useActor(), 'ROLE_LEADS_ADMIN')
  const [assigning, giveOut] = useAssign()
  const listed = useList(contact, pageParams(params, shown.page, PAGE_SIZE)).data?.['hydra:member'] ?? []
  const ids = listed.map(({ id }) => id)
  const held = useHeld(ids)
  const columns = columnsWith(useLastNotes(ids))
  const set = ({ owner, ...more }: Partial<Omit<ListState, 'tab'>>) =>
    change({ ...more, ...(owner === undefined ? {} : { owner: owner || START.owner }) }, 'q' in more && state.q !== '')
  useEffect(() => {
    void standing
      .then(() => Promise.all([import('../calling/view.web.tsx'), import('../calling/details.web.tsx')]))
      .catch(() => undefined)
  }, [])

  return (
    <Page
      title="Leads"
      actions={
        <>
          {keepsLeads && (
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
            rightSection={<Shortcut keys="c" />}
            aria-keyshortcuts="c"
            loading={calling.busy}
            onClick={calling.start}
          >
            {state.q ? `Call results for “${short(state.q)}”` : 'Start calling'}
          </Button>
        </>
      }
    >
      <Finished />
      <LateNoteBox />
      <div className={css.list}>
        <ListTabs state={state} params={params} />
        <DataList
          resource={contact}
          label="Leads"
          state={shown}
          onState={set}
          asked={params}
          columns={columns}
          filters={filters}
          search="Company, person, telephone, number, town"
          size={PAGE_SIZE}
          rowBarred={held}
          refreshMs={60_000}
          {...(keepsLeads
            ? {
                chosenActions: (rows: readonly Lead[]) => (
                  <Button size="xs" variant="default" onClick={() => giveOut({ ids: rows.map((row) => row['@id']) })}>
                    Assign leads
                  </Button>
                ),
              }
            : {})}
          href={(lead) => leadPath(lead.id, from)}
          onNear={(lead) => prefetchLead(queries, lead.id)}
          foundActions={(from, count) => <WriteToMany from={from} count={count} />}
          nothing={<NoLeads state={state} change={change} clear={clear} />}
        />
      </div>
      {assigning}
    </Page>
  )
}

/** Shortens search terms for display. */
const short = (words: string) => (words.length > 20 ? `${words.slice(0, 19)}…` : words)

/** Message for the end of calling. */
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
