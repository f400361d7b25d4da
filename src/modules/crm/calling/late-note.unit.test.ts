import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** Enough of a page for keys: elements that say what they are in. */
class FakeElement {
  private readonly inside: string
  constructor(inside = '') {
    this.inside = inside
  }
  closest = (selector: string) => (this.inside && selector.includes(this.inside) ? this : null)
  blur = () => {}
}

let onKey: (event: object) => void
vi.stubGlobal('Element', FakeElement)
vi.stubGlobal('HTMLElement', FakeElement)
vi.stubGlobal('document', { activeElement: null })
vi.stubGlobal('addEventListener', (_: string, listener: typeof onKey) => {
  onKey = listener
})
const { lateNote } = await import('./late-note-state.web.ts')

const LEAD = { id: 7, companyName: 'Acme Ltd', name: '' } as Parameters<typeof lateNote.begin>[0]
const OTHER = { id: 8, companyName: 'Bolts Ltd', name: '' } as Parameters<typeof lateNote.begin>[0]
const QUIET_MS = 500

/** Presses a key; whether the note took it, so that no shortcut of the lead on the screen hears of it. */
function press(key: string, more: object = {}): boolean {
  let isTaken = false
  const event = { key, target: undefined, preventDefault: () => {}, ...more }
  onKey({ ...event, stopImmediatePropagation: () => (isTaken = true) })
  return isTaken
}
const type = (words: string) => {
  for (const key of words) press(key)
}

// Other files of the worker are loaded without a page.
afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  lateNote.close()
  lateNote.arrived()
  vi.runAllTimers()
  vi.useRealTimers()
})

describe('keys pressed while the next lead is on its way', () => {
  test('go to the note of the lead whose call has ended', () => {
    lateNote.begin(LEAD)
    type('spoke to the office, call 6 weeks')
    expect(lateNote.close()).toEqual({ lead: 7, name: 'Acme Ltd', text: 'spoke to the office, call 6 weeks' })
  })

  test('end no other call: digits are taken and make no note by themselves', () => {
    lateNote.begin(LEAD)
    expect([press('1'), press('2'), press('ArrowRight'), press('Enter')]).toEqual([true, true, true, true])
    expect(lateNote.close()).toBeUndefined()
  })

  test('begin an empty note where the first is N', () => {
    lateNote.begin(LEAD)
    press('n')
    type('what')
    expect(lateNote.close()?.text).toBe('what')
  })

  test('stay with that lead after the next one has arrived, until nobody has typed for a moment', () => {
    lateNote.begin(LEAD)
    vi.advanceTimersByTime(10 * QUIET_MS)
    expect(press('s')).toBe(true)
    lateNote.arrived()
    type('poke')
    vi.advanceTimersByTime(QUIET_MS - 1)
    expect(press(' ')).toBe(true)
    vi.advanceTimersByTime(QUIET_MS)
    expect(press('1')).toBe(false)
    expect(lateNote.close()).toMatchObject({ lead: 7, text: 'spoke ' })
  })

  test('are left to menus, dialogs and fields', () => {
    lateNote.begin(LEAD)
    expect(press('s', { target: new FakeElement('[role=menu]') })).toBe(false)
    expect(press('s', { target: new FakeElement('textarea') })).toBe(false)
    expect(press('s', { ctrlKey: true })).toBe(false)
    expect(lateNote.close()).toBeUndefined()
  })
})

test('a canceled note is returned by close, and comes back as it was', () => {
  lateNote.begin(LEAD)
  type('spoke')
  const note = lateNote.close()
  expect(lateNote.close()).toBeUndefined()
  if (note) lateNote.keep(note)
  expect(lateNote.close()).toEqual({ lead: 7, name: 'Acme Ltd', text: 'spoke' })
})

test('a note is taken by its own lead only, once that is on the screen again', () => {
  lateNote.begin(LEAD)
  type('spoke')
  expect(lateNote.takeFor(OTHER.id)).toBe('')
  expect(lateNote.takeFor(LEAD.id)).toBe('spoke')
  expect(lateNote.takeFor(LEAD.id)).toBe('')
})

test('words of one lead are added to its own note, and replace that of another', () => {
  lateNote.add(LEAD, 'first')
  lateNote.add(LEAD, 'second')
  expect(lateNote.close()?.text).toBe('first\nsecond')
  lateNote.add(LEAD, 'first')
  lateNote.add(OTHER, 'other')
  expect(lateNote.close()).toEqual({ lead: 8, name: 'Bolts Ltd', text: 'other' })
})
