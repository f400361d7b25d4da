import { Alert, Button, Group, Loader } from '@mantine/core'
import { IconArrowForward, IconChevronRight, IconClock, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isConflictError } from '#web/api/client.ts'
import { useNow } from '#web/dates/use-now.ts'
import { QUEUED_MESSAGE } from '#web/offline/outbox/outbox.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { wasPageCovered } from '#web/ui/overlays/layers.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import type { LeadRecord } from '../contacts/data.web.ts'
import { type OutcomeRecord, useOutcomeKeys } from '../outcomes/data.web.ts'
import { CallbackDateForm } from './ask-date.web.tsx'
import css from './calling.module.css'
import type { CallDraft, CallDraftUpdater } from './draft.web.ts'
import { PAIR_MS, usePreviousLeadNote } from './late-note-state.web.ts'
import { isOutcomeRuleChangedError } from './outcome-machine.web.ts'
import { formatOutcomeDate } from './outcome-words.web.ts'
import type { LeadLease } from './use-lease.web.ts'
import type { useRecordOutcome } from './use-outcome.web.ts'

interface Props {
  readonly lead: LeadRecord
  readonly lease: LeadLease
  readonly draft: CallDraft
  readonly change: CallDraftUpdater
  readonly outcome: ReturnType<typeof useRecordOutcome>
  /** Called when the pointer or keyboard focus reaches the outcomes. */
  readonly onNear: () => void
}

/** Number of outcomes with a single-digit shortcut. The shortcut of any other outcome is 0 and a digit. */
const DIGITS = 9
/**
 * Milliseconds for which keys are ignored after a lead appears, because a key may still be held down from the previous
 * lead.
 */
const SETTLE_MS = 250
const ICONS = { forward: IconArrowForward, later: IconClock, away: IconX }

/** Call outcomes as large keys, each with the date that it sets. */
export function OutcomeKeypad({ lead, lease, draft, change, outcome, onNear }: Props) {
  const [asking, setAsking] = useState<OutcomeRecord>()
  const [more, setMore] = useState(false)
  /** Whether 0 has been pressed, so that the next digit selects one of the outcomes after the ninth. */
  const [second, setSecond] = useState(false)
  const { settled: isThere, ignore } = useSettled()
  const settled = !usePreviousLeadNote().asleep && isThere
  const { sending, waiting } = outcome
  const busy = sending.kind === 'saving'
  const held = lease.kind === 'held'
  const overtaken = sending.kind === 'failed' && isOutcomeRuleChangedError(sending.error)
  const { keys, error, retry } = useOutcomeKeys(overtaken)
  const first = keys.filter(({ key }) => (key ?? 0) <= DIGITS)
  const others = keys.filter(({ key }) => (key ?? 0) > DIGITS)
  const byDigit = (digit: number) => keys.find(({ key }) => key === digit + (second ? DIGITS : 0))
  /** The chosen outcome with its current rule, if the rule has changed since the outcome was sent. */
  const chosenAnew = overtaken ? keys.find(({ id }) => id === sending.attempt.outcome.id) : undefined

  const choose = (o: OutcomeRecord | undefined) => {
    if (!o || busy || held || waiting) return
    if (o.asks) setAsking(o)
    else {
      setAsking(undefined)
      outcome.commit(o)
    }
  }
  const byKey = (digit: number) => {
    if (!settled) return ignore(digit)
    setSecond(digit === 0 && !second)
    if (digit === 0) setMore(!second)
    else choose(byDigit(digit))
  }
  const showMore = (on: boolean) => {
    setMore(on)
    setSecond(false)
  }
  useAnotherKey(second, () => setSecond(false))
  const list = useRef<HTMLOListElement>(null)
  const at = useNow()
  // Outcomes after the ninth may be out of view, so the list scrolls to them.
  useEffect(() => {
    if (more) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [more])
  useDigits(byKey)
  useShortcuts([
    ...first.map((o) => ({ keys: String(o.key), label: o.text, run: () => byKey(o.key ?? 0) })),
    { keys: '0', label: 'Other outcomes: press 0, then a digit', run: () => byKey(0) },
    ...(asking || more
      ? [
          {
            keys: 'Escape',
            label: asking ? 'Choose another outcome' : 'Show the first nine outcomes only',
            run: () => (asking ? setAsking(undefined) : showMore(false)),
          },
        ]
      : []),
  ])
  const key = (o: OutcomeRecord, keys: string) => (
    <li key={o.id}>
      <Key
        outcome={o}
        keys={keys}
        disabled={held || busy}
        saving={busy && sending.attempt.outcome.id === o.id}
        lead={lead}
        onClick={() => choose(o)}
      />
    </li>
  )
  return (
    <section
      className={css.outcomes}
      aria-label="Outcome of the call"
      data-settled={settled}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      {sending.kind === 'failed' && (
        <Alert color="red" role="alert" title={`${sending.attempt.outcome.text} was not saved`} mb="sm">
          {errorSentence(sending.error)}
          <Group gap="xs" mt="xs">
            {!overtaken && !isConflictError(sending.error) && (
              <Button size="xs" variant="default" onClick={outcome.retry}>
                Retry
              </Button>
            )}
            {chosenAnew && (
              <Button size="xs" variant="default" onClick={() => choose(chosenAnew)}>
                Save with the new rule: {formatOutcomeDate(chosenAnew, at, lead)}
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={outcome.dismiss}>
              Choose another outcome
            </Button>
          </Group>
        </Alert>
      )}
      {outcome.refused && (
        <Alert color="red" role="alert" title={`${outcome.refused.what} was rejected`} mb="sm">
          {outcome.refused.refused?.why}
          <Group gap="xs" mt="xs">
            <Button size="xs" variant="default" onClick={() => void outcome.sendAgain()}>
              Send again
            </Button>
            <Button size="xs" variant="subtle" onClick={() => void outcome.throwAway()}>
              Choose another outcome
            </Button>
          </Group>
        </Alert>
      )}
      {waiting ? (
        <Alert color="yellow" role="status" title={`${waiting.what} is waiting to be sent`}>
          {QUEUED_MESSAGE}
          <Group gap="xs" mt="xs">
            <Button size="xs" variant="default" onClick={() => void outcome.takeBack()}>
              Undo
            </Button>
          </Group>
        </Alert>
      ) : asking ? (
        <CallbackDateForm
          outcome={asking}
          lead={lead}
          busy={busy}
          typed={draft.when}
          onType={(when) => change({ when })}
          onCancel={() => setAsking(undefined)}
          onChoose={(date) => outcome.commit(asking, date)}
        />
      ) : keys.length === 0 ? (
        error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : (
          <LoadingRows rows={9} height={48} />
        )
      ) : (
        <ol ref={list} className={css.keys} data-others={second}>
          {first.map((o) => key(o, String(o.key)))}
          <li>
            <button type="button" className={css.key} aria-expanded={more} onClick={() => showMore(!more)}>
              <ShortcutKeys keys="0" />
              <span className={css.keyLabel}>
                {second ? 'Now press a digit' : more ? 'Show the first nine outcomes only' : `More (${others.length})`}
              </span>
              <IconChevronRight size={16} aria-hidden />
            </button>
          </li>
          {more && others.map((o) => key(o, `0 ${(o.key ?? 0) - DIGITS}`))}
        </ol>
      )}
    </section>
  )
}

interface KeyProps {
  readonly outcome: OutcomeRecord
  /** Keys to press, such as `3` or `0 3`. */
  readonly keys: string
  readonly disabled: boolean
  readonly saving: boolean
  readonly lead: LeadRecord
  readonly onClick: () => void
}

function Key({ outcome, keys, disabled, saving, lead, onClick }: KeyProps) {
  const now = useNow()
  const Picture = ICONS[outcome.meaning]
  return (
    <button
      type="button"
      className={css.key}
      data-meaning={outcome.meaning}
      disabled={disabled}
      {...(keys.length === 1 ? { 'aria-keyshortcuts': `${keys} Alt+${keys}` } : {})}
      onClick={onClick}
    >
      <ShortcutKeys keys={keys} />
      <span className={css.keyLabel}>{outcome.text}</span>
      <span className={css.keyDate}>{formatOutcomeDate(outcome, now, lead)}</span>
      {saving ? <Loader size={16} aria-label="Saving" /> : <Picture size={16} aria-hidden />}
    </button>
  )
}

/**
 * Returns whether a lead has been shown for a short time, and a function for digits pressed before then: after an
 * ignored 0, the next digit is ignored too.
 */
function useSettled() {
  const [settled, setSettled] = useState(false)
  const pair = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const settleIn = (ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSettled(true), ms)
  }
  useEffect(() => {
    timer.current = setTimeout(() => setSettled(true), SETTLE_MS)
    return () => clearTimeout(timer.current)
  }, [])
  const ignore = (digit: number) => {
    const wasPairPending = pair.current
    pair.current = digit === 0 && !wasPairPending
    if (pair.current || wasPairPending) settleIn(pair.current ? PAIR_MS : SETTLE_MS)
  }
  return { settled, ignore }
}

/** Calls `onOther` for a click or any key other than a digit while a digit is awaited after 0. */
function useAnotherKey(waits: boolean, onOther: () => void) {
  const other = useEffectEvent(onOther)
  useEffect(() => {
    if (!waits) return
    const listen = (e: Event) => {
      const isDigit = e instanceof KeyboardEvent && (/^(?:Digit|Numpad)\d$/.test(e.code) || e.key === 'Alt')
      if (!isDigit) other()
    }
    addEventListener('keydown', listen, { capture: true })
    addEventListener('pointerdown', listen, { capture: true })
    return () => {
      removeEventListener('keydown', listen, { capture: true })
      removeEventListener('pointerdown', listen, { capture: true })
    }
  }, [waits])
}

/**
 * Runs a shortcut for a digit key. With Alt, digits also work while the user is typing. A key that is held down runs
 * its shortcut only once.
 */
function useDigits(run: (digit: number) => void) {
  const onKey = useEffectEvent((e: KeyboardEvent) => {
    if (e.defaultPrevented) return
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(e.code)?.[1]
    if (digit === undefined || e.ctrlKey || e.metaKey) return
    const alone = !e.altKey
    const typing = e.target instanceof Element && e.target.matches('input, textarea, [contenteditable]')
    if (typing && (alone || e.target.closest('[data-late-note]'))) return
    if (e.repeat) return e.preventDefault()
    if (alone || wasPageCovered()) return
    e.preventDefault()
    run(Number(digit))
  })
  useEffect(() => {
    const listen = (e: KeyboardEvent) => onKey(e)
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [])
}
