import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/**
 * Minimal stand-in for a page element. `closest` returns the element itself if the selector contains the `inside` text;
 * otherwise null.
 */
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
const { previousLeadNote: lateNote } = await import('./late-note-state.web.ts')

const LEAD = { id: 7, companyName: 'Acme Ltd', name: '' } as Parameters<typeof lateNote.begin>[0]
const OTHER = { id: 8, companyName: 'Bolts Ltd', name: '' } as Parameters<typeof lateNote.begin>[0]
const QUIET_MS = 500

/**
 * Presses a key. Returns whether the note consumed the key; a consumed key triggers no shortcut on the displayed lead.
 */
function press(key: string, more: object = {}): boolean {
  let isTaken = false
  const event = { key, target: undefined, preventDefault: () => {}, ...more }
  onKey({ ...event, stopImmediatePropagation: () => (isTaken = true) })
  return isTaken
}
const type = (words: string) => {
  for (const key of words) press(key)
}

// Removes the global stubs, because other test files in the same worker must load without a page.
afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  lateNote.close()
  lateNote.arrived()
  vi.runAllTimers()
  vi.useRealTimers()
})

describe('keys pressed before the next lead has loaded', () => {
  test('keys pressed before the next lead has loaded are added to the note of the previous lead', () => {
    lateNote.begin(LEAD)
    type('spoke to the office, call 6 weeks')
    expect(lateNote.close()).toEqual({ lead: 7, name: 'Acme Ltd', text: 'spoke to the office, call 6 weeks' })
  })

  test("keys pressed before the next lead has loaded don't trigger an outcome, and digits alone don't start a note", () => {
    lateNote.begin(LEAD)
    expect([press('1'), press('2'), press('ArrowRight'), press('Enter')]).toEqual([true, true, true, true])
    expect(lateNote.close()).toBeUndefined()
  })

  test('pressing N before the next lead has loaded starts an empty note on the previous lead', () => {
    lateNote.begin(LEAD)
    press('n')
    type('what')
    expect(lateNote.close()?.text).toBe('what')
  })

  test("keystrokes still go into the previous lead's note after the next lead has loaded, until typing pauses", () => {
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

  test('digits pressed after the next lead has loaded are ignored, and do not extend the time in which digits are ignored', () => {
    lateNote.begin(LEAD)
    lateNote.arrived()
    const taken = [0, 1, 2, 3, 4].map(() => {
      const isTaken = press('1')
      vi.advanceTimersByTime(QUIET_MS / 4)
      return isTaken
    })
    expect(taken).toEqual([true, true, true, true, false])
  })

  test('a digit after an ignored 0 is ignored too, and the key after that acts again', () => {
    lateNote.begin(LEAD)
    lateNote.arrived()
    vi.advanceTimersByTime(QUIET_MS - 100)
    expect(press('0')).toBe(true)
    vi.advanceTimersByTime(300)
    expect(press('1')).toBe(true)
    vi.advanceTimersByTime(QUIET_MS)
    expect(press('1')).toBe(false)
  })

  test('an ignored 0 without a following digit causes keys to be ignored only for a moment', () => {
    lateNote.begin(LEAD)
    press('0')
    lateNote.arrived()
    vi.advanceTimersByTime(3 * QUIET_MS)
    expect(press('1')).toBe(false)
  })

  test("keys pressed in menus, dialogs and input fields are not added to the previous lead's note", () => {
    lateNote.begin(LEAD)
    expect(press('s', { target: new FakeElement('[role=menu]') })).toBe(false)
    expect(press('s', { target: new FakeElement('textarea') })).toBe(false)
    expect(press('s', { ctrlKey: true })).toBe(false)
    expect(lateNote.close()).toBeUndefined()
  })
})

test("closing the previous lead's note returns its text, which can be restored unchanged", () => {
  lateNote.begin(LEAD)
  type('spoke')
  const note = lateNote.close()
  expect(lateNote.close()).toBeUndefined()
  if (note) lateNote.keep(note)
  expect(lateNote.close()).toEqual({ lead: 7, name: 'Acme Ltd', text: 'spoke' })
})

test("the previous lead's note is returned once, and only when that lead is shown again", () => {
  lateNote.begin(LEAD)
  type('spoke')
  expect(lateNote.takeFor(OTHER.id)).toBe('')
  expect(lateNote.takeFor(LEAD.id)).toBe('spoke')
  expect(lateNote.takeFor(LEAD.id)).toBe('')
})

test('text for the same lead is added to its note, and text for another lead replaces it', () => {
  lateNote.add(LEAD, 'first')
  lateNote.add(LEAD, 'second')
  expect(lateNote.close()?.text).toBe('first\nsecond')
  lateNote.add(LEAD, 'first')
  lateNote.add(OTHER, 'other')
  expect(lateNote.close()).toEqual({ lead: 8, name: 'Bolts Ltd', text: 'other' })
})
