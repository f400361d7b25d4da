import { useSyncExternalStore } from 'react'
import { formatLeadName } from '../contacts/data.web.ts'

type NamedLead = Parameters<typeof formatLeadName>[0]

/** A note on a lead, typed while another lead is on the screen. */
export interface PreviousLeadNote {
  readonly lead: number
  readonly name: string
  readonly text: string
}

interface LateNoteState {
  /** Whether keyboard shortcuts are suspended. */
  readonly asleep: boolean
  /** Whether the next lead has not appeared on the screen yet. */
  readonly waiting: boolean
  readonly note: PreviousLeadNote | undefined
}

/** Milliseconds after which keyboard shortcuts work again on a new lead, or after typing in its former lead's note. */
const WAKE_AFTER_MS = 500
/** Milliseconds in which an ignored 0 waits for its digit, which is then ignored too. */
export const PAIR_MS = 1000
const AWAKE: LateNoteState = { asleep: false, waiting: false, note: undefined }

let state = AWAKE
/** Lead whose call has just ended or whose outcome is being undone. */
let former: { lead: number; name: string } | undefined
/** Digits and symbols typed before the first letter. Without a letter, they do not start a note. */
let before = ''
/** Whether 0 was ignored, so that the digit after it belongs to the ignored shortcut. */
let isPairPending = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: Partial<LateNoteState>) {
  state = { ...state, ...next }
  for (const l of listeners) l()
}

function sleepOn() {
  clearTimeout(timer)
  if (!state.asleep) change({ asleep: true })
  if (!state.waiting) timer = setTimeout(wake, isPairPending ? PAIR_MS : WAKE_AFTER_MS)
}

function wake() {
  before = ''
  isPairPending = false
  change({ asleep: false })
}

/**
 * Captures what callers type about a call while the screen changes to the next lead. Typed text is added to the note on
 * the previous lead until the next lead is shown and typing has paused.
 */
export const previousLeadNote = {
  /** Called when the call with a lead has just ended, or when the lead's outcome is being undone. */
  begin: (lead: NamedLead) => {
    former = { lead: lead.id, name: formatLeadName(lead) }
    before = ''
    isPairPending = false
    change({ waiting: true })
    const at = document.activeElement
    if (at instanceof HTMLElement && at.closest('[data-lead-screen]')) at.blur()
    sleepOn()
  },
  /** Called when the next lead, on which keyboard shortcuts will act, is on the screen. */
  arrived: () => {
    if (!state.waiting) return
    change({ waiting: false })
    sleepOn()
  },
  write: (text: string) => state.note && change({ note: { ...state.note, text } }),
  /** Adds text to the note on this lead. A note on another lead is replaced. */
  add: (lead: NamedLead, text: string) => {
    const was = state.note?.lead === lead.id ? state.note.text : ''
    change({ note: { lead: lead.id, name: formatLeadName(lead), text: [was, text].filter(Boolean).join('\n') } })
  },
  /** Closes the note and returns it. Further typing starts a new note on the same lead. */
  close: (): PreviousLeadNote | undefined => {
    const { note } = state
    if (note) {
      change({ note: undefined })
      sleepOn()
    }
    return note
  },
  /**
   * Closes the note on a lead that is on the screen again and returns its text; an empty string if there is no note on
   * this lead.
   */
  takeFor: (lead: number): string => (state.note?.lead === lead ? (previousLeadNote.close()?.text ?? '') : ''),
  keep: (note: PreviousLeadNote) => change({ note: state.note ?? note }),
}

export const usePreviousLeadNote = (): LateNoteState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => state,
  )

const FIELD = 'input, textarea, select, [contenteditable=""], [contenteditable=true]'
const OF_ITS_OWN = '[aria-modal=true], [role=menu], [role=listbox]'
const MOVES = new Set(['ArrowLeft', 'ArrowRight', 'Enter', 'Backspace'])

/** Adds a typed character to the note. The shortcut `n` starts an empty note, as on a lead's screen. */
function type(key: string) {
  const { note } = state
  if (note) return previousLeadNote.write(note.text + key)
  before += key
  if (!former || !/\p{L}/u.test(key)) return
  change({ note: { ...former, text: before === 'n' ? '' : before.trimStart() } })
  before = ''
}

function onKey(e: KeyboardEvent) {
  if (!state.asleep || e.isComposing || e.ctrlKey || e.metaKey) return
  const isText = e.key.length === 1
  if (!isText && !MOVES.has(e.key)) return
  const at = e.target instanceof Element ? e.target : undefined
  if (at?.closest(OF_ITS_OWN)) return
  if (at?.closest(FIELD) && !e.altKey) {
    if (at.closest('[data-late-note]')) sleepOn()
    return
  }
  e.preventDefault()
  e.stopImmediatePropagation()
  if (e.repeat) return
  if (isText && !e.altKey) type(e.key)
  // Only a note, or the two digits of one shortcut, extend the time in which keys are ignored.
  const wasPairPending = isPairPending
  isPairPending = e.key === '0' && !wasPairPending
  if (state.note || isPairPending || (wasPairPending && /\d/.test(e.key))) sleepOn()
}

// Registered in the capture phase, before all other handlers.
if (typeof document !== 'undefined') addEventListener('keydown', onKey, { capture: true })
