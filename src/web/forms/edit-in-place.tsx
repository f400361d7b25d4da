import '@mantine/core/styles/Switch.layer.css'
import { Button, Loader, Switch } from '@mantine/core'
import { IconCheck, IconCloudUpload } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { isConflictError } from '../api/client.ts'
import { QUEUED_RESULT } from '../offline/outbox/outbox.ts'
import { wasPageCovered } from '../ui/overlays/layers.ts'
import { errorSentence, toast } from '../ui/toast.ts'
import css from './edit-in-place.module.css'
import { FieldInput } from './field-input.tsx'
import { formatFieldValue } from './field-value.tsx'
import { InPlaceValue } from './in-place-value.tsx'
import { savedMeanwhile } from './store/change-if-unchanged.ts'
import { getInitialInputValue, getValueToSend, linkedRecordName } from './values.ts'

type InPlaceState =
  | { readonly kind: 'shown' | 'editing' | 'saving' | 'saved' }
  | { readonly kind: 'failed'; readonly why: string; readonly again?: 'Save' | 'Retry'; readonly theirs?: Values }

/** Time in milliseconds for which a saved value is highlighted, long enough to notice an unintended change. */
const SAVED_MS = 10_000

/** Manages the states of a value that is edited in place. Typed text is retained until it is saved or cancelled. */
function useInPlaceEditing(name: string, field: Field, value: unknown, onSave: Props['onSave']) {
  const [state, setState] = useState<InPlaceState>({ kind: 'shown' })
  const [draft, setDraft] = useState<unknown>()
  const opener = useRef<HTMLButtonElement>(null)
  const goBack = useRef(false)
  const editing = state.kind === 'editing' || state.kind === 'failed'
  // The comparison uses the value that was shown when editing started, even if a newer value has been loaded since.
  const begun = useRef<{ readonly value: unknown; readonly onSave: typeof onSave }>(undefined)
  const of = () => (editing && begun.current) || { value, onSave }
  const former = useRef<unknown>(undefined)

  useEffect(() => {
    if (state.kind !== 'saved') return
    const timer = setTimeout(() => setState({ kind: 'shown' }), SAVED_MS)
    return () => clearTimeout(timer)
  }, [state])
  useEffect(() => {
    if (editing || state.kind === 'saving' || !goBack.current) return
    goBack.current = false
    opener.current?.focus()
  }, [editing, state])

  const shown = (back: boolean) => {
    goBack.current = back
    setState({ kind: 'shown' })
  }
  /**
   * Saves the new value. If `back` is true, the focus returns to the element that started editing. `unreadable` is the
   * message for text that can't be parsed. `over` are the values of somebody else that the change replaces.
   */
  const save = async (next: unknown, back: boolean, unreadable?: string, over?: Values) => {
    const sent = getValueToSend(field, next)
    const why = unreadable || fieldViolations({ [name]: field }, { [name]: sent })[0]?.message
    if (why) return setState({ kind: 'failed', why, again: 'Save' })
    const before = of()
    if (!over && isSameValue(sent, getValueToSend(field, before.value))) return shown(back)
    setState({ kind: 'saving' })
    try {
      const saved = await before.onSave(sent, over)
      goBack.current = back
      former.current = before.value
      // If the change was queued, it is displayed as queued rather than as saved.
      setState({ kind: saved === QUEUED_RESULT ? 'shown' : 'saved' })
    } catch (e) {
      const theirs = savedMeanwhile(e)
      const next = theirs ? { theirs } : isConflictError(e) ? {} : { again: 'Retry' as const }
      setState({ kind: 'failed', why: errorSentence(e), ...next })
    }
  }
  return {
    state,
    draft,
    setDraft,
    editing,
    opener,
    save,
    /** Restores the previous value by saving another change. */
    undo: () => void save(getInitialInputValue(field, former.current), true),
    begin: () => {
      begun.current = { value, onSave }
      setDraft(getInitialInputValue(field, value))
      setState({ kind: 'editing' })
    },
    cancel: () => {
      shown(true)
      if (!isSameValue(getValueToSend(field, draft), getValueToSend(field, of().value))) toast.canceled()
    },
  }
}

interface Props {
  readonly name: string
  readonly field: Field
  readonly value: unknown
  /**
   * Saves the new value. If saving fails, the error is shown beside the input. `over` are newer values of the record
   * that somebody else has saved, and that the user has chosen to replace.
   */
  readonly onSave: (value: unknown, over?: Values) => Promise<unknown>
  /** Whether the value was typed on this device and has not been sent yet. */
  readonly waiting?: boolean
  readonly readOnly?: boolean
  /** Name of the record to which the value belongs, for the accessible names of links in the value. */
  readonly of?: string
  /**
   * Record that contains the value. Set if the record affects how the value is displayed, such as a telephone number
   * that must not be called.
   */
  readonly record?: Values
}

/** Field kinds for which editing ends when a value is chosen. */
const CHOSEN = new Set<Field['kind']>(['choice', 'link'])

const DAYS = new Set<Field['kind']>(['date', 'instant', 'unixSeconds'])

/** Value that can be edited in place. Pressing Enter or leaving the input saves the value, and Escape cancels. */
export function InPlaceEditor({ name, field, value, onSave, waiting = false, readOnly = false, of, record }: Props) {
  const { state, draft, setDraft, editing, opener, begin, cancel, save, undo } = useInPlaceEditing(
    name,
    field,
    value,
    onSave,
  )
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const fixed = readOnly || field.readonly === true
  const finish = (back: boolean) => void save(draft, back, unreadable(root.current))

  const onKey = (e: KeyboardEvent) => {
    if (e.defaultPrevented || state.kind === 'saving' || !root.current?.contains(e.target as Node)) return
    if (e.key === 'Escape') return wasPageCovered() ? undefined : cancel()
    const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement
    const many = e.target instanceof HTMLTextAreaElement && !(e.ctrlKey || e.metaKey)
    if (e.key !== 'Enter' || !typing || many || CHOSEN.has(field.kind)) return
    e.preventDefault()
    finish(true)
  }
  const onLeave = (e: FocusEvent) => {
    if (!editing || stillHere(root.current, e)) return
    if (state.kind !== 'failed' || e.relatedTarget) finish(false)
  }

  return (
    <div className={css.root} ref={root}>
      <span className={css.label} id={id}>
        {labelOf(name, field)}
      </span>
      {field.kind === 'flag' ? (
        <Switch
          className={css.flag}
          aria-labelledby={id}
          checked={value === true}
          disabled={fixed || state.kind === 'saving'}
          onChange={(e) => void save(e.currentTarget.checked, false)}
        />
      ) : editing || state.kind === 'saving' ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its input lets through
        <div onKeyDown={onKey} onBlur={onLeave}>
          <FieldInput
            bare
            autoFocus
            name={name}
            field={field}
            value={draft}
            record={record}
            readOnly={state.kind === 'saving'}
            error={state.kind === 'failed' ? state.why : undefined}
            onChange={(next) => {
              setDraft(next)
              if (CHOSEN.has(field.kind) || (DAYS.has(field.kind) && picked(root.current))) void save(next, true)
            }}
          />
        </div>
      ) : (
        <InPlaceValue
          field={field}
          value={value}
          label={labelOf(name, field)}
          fixed={fixed}
          onEdit={begin}
          opener={opener}
          of={of}
          record={record}
        />
      )}
      <Progress
        state={state}
        waiting={waiting}
        retry={() => finish(true)}
        cancel={cancel}
        undo={undo}
        theirs={state.kind === 'failed' && state.theirs ? wordsOf(field, state.theirs[name]) : undefined}
        takeTheirs={() =>
          state.kind === 'failed' && state.theirs && void save(state.theirs[name], true, '', state.theirs)
        }
        keepMine={() => state.kind === 'failed' && void save(draft, true, unreadable(root.current), state.theirs)}
        label={labelOf(name, field)}
        flag={field.kind === 'flag'}
      />
    </div>
  )
}

interface ProgressProps {
  readonly state: InPlaceState
  readonly waiting: boolean
  readonly retry: () => void
  readonly cancel: () => void
  readonly undo: () => void
  /** Value that somebody else has saved meanwhile, as text. */
  readonly theirs: string | undefined
  readonly takeTheirs: () => void
  readonly keepMine: () => void
  readonly label: string
  readonly flag: boolean
}

function Progress({ state, waiting, retry, cancel, undo, theirs, takeTheirs, keepMine, label, flag }: ProgressProps) {
  return (
    <>
      <span role="status" className={css.state}>
        {state.kind === 'saving' && (
          <>
            <Loader size={12} aria-hidden /> Saving…
          </>
        )}
        {state.kind === 'saved' && (
          <>
            <IconCheck size={14} aria-hidden /> Saved
          </>
        )}
        {state.kind === 'failed' && flag && state.why}
        {state.kind === 'shown' && waiting && (
          <>
            <IconCloudUpload size={14} aria-hidden /> Waiting to be sent
          </>
        )}
      </span>
      {state.kind === 'saved' && !flag && (
        <Button
          className={css.undo ?? ''}
          size="compact-sm"
          variant="subtle"
          aria-label={`Undo: ${label}`}
          onClick={undo}
        >
          Undo
        </Button>
      )}
      {state.kind === 'failed' && !flag && (
        <span className={css.again}>
          {state.again && (
            <Button size="compact-sm" variant="default" onClick={retry}>
              {state.again}
            </Button>
          )}
          {theirs !== undefined && (
            <>
              <span>Saved meanwhile: {theirs}</span>
              <Button size="compact-sm" variant="default" onClick={takeTheirs}>
                Use theirs
              </Button>
              <Button size="compact-sm" variant="default" onClick={keepMine}>
                Use mine
              </Button>
            </>
          )}
          <Button size="compact-sm" variant="subtle" onClick={cancel}>
            Cancel
          </Button>
        </span>
      )}
    </>
  )
}

/** Returns a saved value as text. A linked record is named if the value contains its name. */
const wordsOf = (field: Field, value: unknown): string =>
  (field.kind === 'link'
    ? (linkedRecordName(field.target!(), value) ?? 'another choice')
    : formatFieldValue(field, value)) || 'empty'

/** Returns the reason why the input's text can't be parsed, such as an incomplete date. */
const unreadable = (root: Element | null): string | undefined =>
  [...(root?.querySelectorAll('input') ?? [])].find((i) => i.validity.customError)?.validationMessage

/** Returns true if the day was picked from the calendar rather than typed. */
const picked = (root: Element | null) =>
  !(document.activeElement instanceof HTMLInputElement && root?.contains(document.activeElement))

/**
 * Returns true if the focus is still in the editor, or in a list or calendar that the editor opened, or if it has left
 * the window.
 */
function stillHere(root: Element | null, { target, relatedTarget: to }: FocusEvent): boolean {
  if (to === null) return document.activeElement === target
  const above = to.closest('[role=dialog], [role=listbox]')
  return root?.contains(to) === true || (above !== null && !above.contains(root))
}
