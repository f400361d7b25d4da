import { useEffect, useRef, useState } from 'react'
import type { Field } from '#kernel/fields.ts'
import { isSameValue } from '#kernel/forms/same.ts'
import { problems } from '#kernel/validate.ts'
import { isOvertaken } from '../api/client.ts'
import { QUEUED } from '../offline/outbox/outbox.ts'
import { sentence, toast } from '../ui/toast.ts'
import { sentValue, startValue } from './values.ts'

export type InPlace =
  | { readonly kind: 'shown' | 'editing' | 'saving' | 'saved' }
  | { readonly kind: 'failed'; readonly why: string; readonly again?: 'Save' | 'Retry' }

/** Long enough to see that it was not meant. */
const SAVED_MS = 10_000

/** The states of a value edited where it stands. What was typed stays until it is saved or taken back. */
export function useInPlace(name: string, field: Field, value: unknown, onSave: (value: unknown) => Promise<unknown>) {
  const [state, setState] = useState<InPlace>({ kind: 'shown' })
  const [draft, setDraft] = useState<unknown>()
  const opener = useRef<HTMLButtonElement>(null)
  const goBack = useRef(false)
  const editing = state.kind === 'editing' || state.kind === 'failed'
  // It is a change of what was shown when it began, whatever has come to stand there since.
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
  /** `back`: the focus returns to where the edit began. `unreadable`: the input holds what can't be read. */
  const save = async (next: unknown, back: boolean, unreadable?: string) => {
    const sent = sentValue(field, next)
    const why = unreadable || problems({ [name]: field }, { [name]: sent })[0]?.message
    if (why) return setState({ kind: 'failed', why, again: 'Save' })
    const before = of()
    if (isSameValue(sent, sentValue(field, before.value))) return shown(back)
    setState({ kind: 'saving' })
    try {
      const saved = await before.onSave(sent)
      goBack.current = back
      former.current = before.value
      // What waits for a connection is told of for as long as it does.
      setState({ kind: saved === QUEUED ? 'shown' : 'saved' })
    } catch (e) {
      setState({ kind: 'failed', why: sentence(e), ...(isOvertaken(e) ? {} : { again: 'Retry' }) })
    }
  }
  return {
    state,
    draft,
    setDraft,
    editing,
    opener,
    save,
    /** Back to what it was, as a change of what stands there now. */
    undo: () => void save(startValue(field, former.current), true),
    begin: () => {
      begun.current = { value, onSave }
      setDraft(startValue(field, value))
      setState({ kind: 'editing' })
    },
    cancel: () => {
      shown(true)
      if (!isSameValue(sentValue(field, draft), sentValue(field, of().value))) toast.canceled()
    },
  }
}
