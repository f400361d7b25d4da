import { Button, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChecklist, IconLock } from '@tabler/icons-react'
import { type ReactNode, Suspense, useCallback, useDeferredValue, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { storeListPosition } from '#web/lists/pager/list-position.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { CallBlockReasonContext } from '#web/ui/phone-link.tsx'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import type { LeadRecord } from '../contacts/data.web.ts'
import { LEAD_LIST_PATH, leadListPath, leadListQueryString } from '../contacts/list-state.web.ts'
import { describeLeadInUse } from '../contacts/use-held-leads.web.ts'
import { useLeadListParams } from '../contacts/use-list.web.ts'
import timeline from '../timeline/timeline.module.css'
import { LeadTimeline } from '../timeline/timeline.web.tsx'
import { CallPanel } from './call.web.tsx'
import css from './calling.module.css'
import { type CallDraftUpdater, useCallDraft } from './draft.web.ts'
import { LeadHeader } from './head.web.tsx'
import { useRestorePreviousLeadNote } from './late-note.web.tsx'
import { CallNoteField } from './note-box.web.tsx'
import type { OutcomeState } from './outcome-machine.web.ts'
import { OutcomeKeypad } from './outcomes.web.tsx'
import { leadPathFromList, leadSalePath, SKIP_UNSAVED_WARNING_STATE, useLeasedNextLead } from './start-calling.web.ts'
import { useLeadLease } from './use-lease.web.ts'
import { useNeighbourLeads } from './use-neighbours.web.ts'
import { useRecordOutcome } from './use-outcome.web.ts'

interface Props {
  readonly lead: LeadRecord
  /** Query string of the list from which the lead was opened. */
  readonly from: string | undefined
  /** Whether the lead was opened from the call queue instead of a row of the list. */
  readonly calling: boolean
}

const loadDetails = () => import('./details.web.tsx')
const Details = lazyComponent(loadDetails)

const NARROW = '(max-width: 1099.98px)'
/** Focuses the element in the next frame, because the tab must be visible before its content can be focused. */
const focusSoon = (selector: string) =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-lead-screen] ${selector}`)?.focus())

export function LeadScreen({ lead, from, calling }: Props) {
  const navigate = useNavigate()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const phone = useIsPhone()
  const [tab, setTab] = useState<string | null>('call')
  const { params } = useLeadListParams(from ?? '')
  const { draft, change: setDraft } = useCallDraft(lead.id)
  const [acting, setActing] = useState(calling || draft.startedAt !== null)
  const { lease, renew } = useLeadLease(lead.id, acting)
  const change = useCallback<CallDraftUpdater>(
    (values) => {
      setActing(true)
      setDraft(values)
    },
    [setDraft],
  )
  const near = useNeighbourLeads(lead.id, from)
  const [editing, setEditing] = useState(false)
  const [ending, setEnding] = useState(calling)
  const nextLead = useLeasedNextLead({ id: lead.id, wanted: calling && ending && lease.kind !== 'held', params })
  const outcome = useRecordOutcome({
    lead,
    from: from ?? '',
    calling,
    params,
    draft,
    change: setDraft,
    following: near.following,
    nextLead: () => (calling ? nextLead() : near.following === undefined ? undefined : { id: near.following }),
    renew,
  })
  const unsaved = useUnsavedNote(draft.notes.trim() !== '')
  const go = async (to: Promise<{ id: number; from: string } | undefined>) => {
    const there = await to
    if (there) await navigate(leadPathFromList(there.id, there.from, calling))
  }
  useEffect(() => {
    if (from !== undefined)
      storeListPosition(LEAD_LIST_PATH, { search: leadListQueryString(from), row: String(lead.id) })
  }, [from, lead.id])
  useEffect(() => {
    void firstScreenReady.then(loadDetails).catch(() => undefined)
  }, [])
  useRestorePreviousLeadNote(lead.id, change, () => setTab('call'))
  const back = () => void navigate(leadListPath(from ?? ''), { preventScrollReset: true })
  useShortcuts([
    {
      keys: 'n',
      label: 'Write a note',
      run: () => {
        setTab('call')
        focusSoon('textarea')
      },
    },
    {
      keys: 'e',
      label: 'Edit the lead’s details',
      run: () => {
        setTab('details')
        setEditing(true)
      },
    },
    {
      keys: 's',
      label: 'Sell',
      run: () => void navigate(leadSalePath(lead.id, location.search), { state: SKIP_UNSAVED_WARNING_STATE }),
    },
    ...(from === undefined
      ? []
      : [
          { keys: 'ArrowLeft', label: 'Previous lead', run: () => void go(near.before()) },
          { keys: 'ArrowRight', label: 'Next lead', run: () => void go(near.after()) },
        ]),
    { keys: 'Escape', label: 'Back to the list', run: back },
  ])

  const call = <CallPanel lead={lead} lease={lease} draft={draft} change={change} />
  const box = <CallNoteField lead={lead} draft={draft} change={change} />
  const outcomes = (
    <OutcomeKeypad
      lead={lead}
      lease={lease}
      draft={draft}
      change={change}
      outcome={outcome}
      onNear={() => setEnding(true)}
    />
  )
  // The call panel renders first, and the long details column afterwards.
  const settled = useDeferredValue(true, false)
  const coming = <LoadingRows rows={9} height={56} />
  const details = (
    <Suspense fallback={coming}>
      {settled ? <Details lead={lead} edit={editing} onEdit={() => setEditing(false)} /> : coming}
    </Suspense>
  )
  // Shown below all buttons, so that the outcomes don't move when the connection is lost.
  const offline = (
    <div className={timeline.above}>
      <OfflineNotice />
    </div>
  )
  const notes = (
    <>
      {offline}
      <LeadTimeline id={lead.id} />
    </>
  )
  return (
    <CallBlockReasonContext value={lease.kind === 'held' ? describeLeadInUse(lease.by) : undefined}>
      <div className={css.screen} data-lead-screen={lead.id}>
        <LeadHeader
          lead={lead}
          near={near}
          go={go}
          back={leadListPath(from ?? '')}
          isListed={from !== undefined}
          calling={calling}
        />
        {unsaved}
        {narrow ? (
          <Tabs value={tab} onChange={setTab} keepMounted={false} className={css.tabs}>
            <Tabs.List grow>
              <Tabs.Tab value="call">Call</Tabs.Tab>
              <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
              <Tabs.Tab value="details">Details</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="call" className={css.callTab}>
              <div>
                {call}
                {box}
                {offline}
                <LeadTimeline id={lead.id} all={() => setTab('timeline')} />
              </div>
              {!phone && outcomes}
            </Tabs.Panel>
            <Tabs.Panel value="timeline">{notes}</Tabs.Panel>
            <Tabs.Panel value="details">{details}</Tabs.Panel>
          </Tabs>
        ) : (
          <div className={css.columns}>
            <section aria-label="Details" className={css.column}>
              {details}
            </section>
            <section aria-label="Timeline" className={css.column}>
              {box}
              {notes}
            </section>
            <section aria-label="Call" className={css.column}>
              {call}
              {outcomes}
            </section>
          </div>
        )}
        {phone && (
          <OutcomeBottomSheet sending={outcome.sending} heldBy={lease.kind === 'held' ? lease.by : undefined}>
            {outcomes}
          </OutcomeBottomSheet>
        )}
      </div>
    </CallBlockReasonContext>
  )
}

const NOTE: Parameters<typeof useUnsavedChangesGuard>[1] = {
  title: 'Your note is not saved',
  question:
    'The note will be stored as a draft, in this browser tab only, until you return to the lead and add the note.',
  action: 'Leave and keep draft',
  meaning: 'attention',
  lets: ({ state }) => (state as Partial<typeof SKIP_UNSAVED_WARNING_STATE> | null)?.settled === true,
}

/**
 * Asks for confirmation before the user leaves a lead with an unsaved note. The note remains as a draft. Returns the
 * dialog to render.
 */
const useUnsavedNote = (dirty: boolean): ReactNode => useUnsavedChangesGuard(dirty, NOTE)

const drawer = () => import('./sheet-drawer.web.tsx')
const SheetDrawer = lazyComponent(drawer)

interface OutcomeBottomSheetProps {
  readonly children: ReactNode
  readonly sending: OutcomeState
  /** Name of the colleague who is working the lead at the moment. Only that colleague can record the outcome. */
  readonly heldBy: string | undefined
}

/** Outcomes on a phone, as a bottom sheet. */
function OutcomeBottomSheet({ children, sending, heldBy }: OutcomeBottomSheetProps) {
  const [opened, setOpened] = useState(false)
  const wasOpened = useWasEverTrue(opened)
  useEffect(() => {
    void firstScreenReady.then(drawer).catch(() => undefined)
  }, [])
  return (
    <>
      <div className={css.bar}>
        <Button
          fullWidth
          size="lg"
          aria-haspopup="dialog"
          disabled={heldBy !== undefined}
          leftSection={heldBy ? <IconLock size={20} aria-hidden /> : <IconChecklist size={20} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {heldBy
            ? `In use by ${heldBy}`
            : sending.kind === 'failed'
              ? 'Outcome not saved. Try again'
              : 'How did the call end?'}
        </Button>
      </div>
      {wasOpened && (
        <Suspense>
          <SheetDrawer opened={opened} onClose={() => setOpened(false)}>
            {children}
          </SheetDrawer>
        </Suspense>
      )}
    </>
  )
}
