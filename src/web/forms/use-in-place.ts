import { useEffect, useRef, useState } from 'react'
import type { Field } from '#kernel/fields.ts'
import { isSameValue } from '#kernel/forms/same.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { isConflictError } from '../api/client.ts'
import { QUEUED } from '../offline/outbox/outbox.ts'
import { errorSentence, toast } from '../ui/toast.ts'
import { startValue, valueToSend } from './values.ts'

export type InPlaceState =
  | { readonly kind: 'shown' | 'editing' | 'saving' | 'saved' }
  | { readonly kind: 'failed'; readonly why: string; readonly again?: 'Save' | 'Retry' }

/** Enough time to notice an unintended change. */
const SAVED_MS = 10_000

/** The states of a value that is edited in place. Typed text stays until it is saved or cancelled. */
export function useInPlaceEditing(
  name: string,
  field: Field,
  value: unknown,
  onSave: (value: unknown) => Promise<unknown>,
) {
  const [state, setState] = useState<InPlaceState>({ kind: 'shown' })
  const [draft, setDraft] = useState<unknown>()
  const opener = useRef<HTMLButtonElement>(null)
  const goBack = useRef(false)
  const editing = state.kind === 'editing' || state.kind === 'failed'
  // Compares with the value shown when editing started, whatever has been loaded since.
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
  /** `back`: the focus returns to the element that started editing. `unreadable`: the text can't be read. */
  const save = async (next: unknown, back: boolean, unreadable?: string) => {
    const sent = valueToSend(field, next)
    const why = unreadable || fieldViolations({ [name]: field }, { [name]: sent })[0]?.message
    if (why) return setState({ kind: 'failed', why, again: 'Save' })
    const before = of()
    if (isSameValue(sent, valueToSend(field, before.value))) return shown(back)
    setState({ kind: 'saving' })
    try {
      const saved = await before.onSave(sent)
      goBack.current = back
      former.current = before.value
      // A queued change is shown for as long as it is queued.
      setState({ kind: saved === QUEUED ? 'shown' : 'saved' })
    } catch (e) {
      setState({ kind: 'failed', why: errorSentence(e), ...(isConflictError(e) ? {} : { again: 'Retry' }) })
    }
  }
  return {
    state,
    draft,
    setDraft,
    editing,
    opener,
    save,
    /** Restores the former value by a new change. */
    undo: () => void save(startValue(field, former.current), true),
    begin: () => {
      begun.current = { value, onSave }
      setDraft(startValue(field, value))
      setState({ kind: 'editing' })
    },
    cancel: () => {
      shown(true)
      if (!isSameValue(valueToSend(field, draft), valueToSend(field, of().value))) toast.canceled()
    },
  }
}
