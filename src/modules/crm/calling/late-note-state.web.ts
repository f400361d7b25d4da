import { useSyncExternalStore } from 'react'
import { leadName } from '../contacts/data.web.ts'

type Named = Parameters<typeof leadName>[0]

/** A note that is typed while another lead is on the screen. */
export interface LateNote {
  readonly lead: number
  readonly name: string
  readonly text: string
}

interface State {
  /** Keys do nothing to the lead that is on the screen. */
  readonly asleep: boolean
  /** The lead that comes is not on the screen yet. */
  readonly waiting: boolean
  readonly note: LateNote | undefined
}

/** After a change of lead, keys act again once nobody has typed for as long. */
const WAKE_AFTER_MS = 500
const AWAKE: State = { asleep: false, waiting: false, note: undefined }

let state = AWAKE
/** Whose call has ended, or is being taken back. */
let former: { lead: number; name: string } | undefined
/** Digits and signs before the first letter: by themselves they are no note. */
let before = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: Partial<State>) {
  state = { ...state, ...next }
  for (const l of listeners) l()
}

function sleepOn() {
  clearTimeout(timer)
  if (!state.asleep) change({ asleep: true })
  if (!state.waiting) timer = setTimeout(wake, WAKE_AFTER_MS)
}

function wake() {
  before = ''
  change({ asleep: false })
}

/**
 * Whoever ends a call goes on typing about it, while the screen changes. From then on keys are for the note of that lead, until the
 * other one is there and nobody has typed for a moment.
 */
export const lateNote = {
  /** The call of a lead has just been ended, or is being taken back. */
  begin: (lead: Named) => {
    former = { lead: lead.id, name: leadName(lead) }
    before = ''
    change({ waiting: true })
    const at = document.activeElement
    if (at instanceof HTMLElement && at.closest('[data-lead-screen]')) at.blur()
    sleepOn()
  },
  /** What keys will act on is on the screen. */
  arrived: () => {
    if (!state.waiting) return
    change({ waiting: false })
    sleepOn()
  },
  write: (text: string) => state.note && change({ note: { ...state.note, text } }),
  /** Words that are this lead's, with what was typed already. */
  add: (lead: Named, text: string) => {
    const was = state.note?.lead === lead.id ? state.note.text : ''
    change({ note: { lead: lead.id, name: leadName(lead), text: [was, text].filter(Boolean).join('\n') } })
  },
  /** Takes it off the screen. Who types on begins another for the same lead. */
  close: (): LateNote | undefined => {
    const { note } = state
    if (note) {
      change({ note: undefined })
      sleepOn()
    }
    return note
  },
  /** What was typed about a lead that is on the screen again. */
  takeFor: (lead: number): string => (state.note?.lead === lead ? (lateNote.close()?.text ?? '') : ''),
  keep: (note: LateNote) => change({ note: state.note ?? note }),
}

export const useLateNote = (): State =>
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

/** A key as text; `n` begins a note, as it always does. */
function type(key: string) {
  const { note } = state
  if (note) return lateNote.write(note.text + key)
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
  sleepOn()
  if (isText && !e.altKey && !e.repeat) type(e.key)
}

// Before anybody else hears of the key.
if (typeof document !== 'undefined') addEventListener('keydown', onKey, { capture: true })
