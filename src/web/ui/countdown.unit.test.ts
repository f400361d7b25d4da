import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { finishCountdowns, hasOwnUndo, startCountdown, stopNewestCountdown } from './countdown.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const begin = (seconds = 10) => {
  const ends = { over: vi.fn<() => void>(), stopped: vi.fn<() => void>(), closed: vi.fn<() => void>() }
  return { ...ends, countdown: startCountdown(seconds, ends) }
}

it('a countdown finishes only once, when its time is up', () => {
  const { countdown, over, stopped, closed } = begin()
  vi.advanceTimersByTime(4000)
  expect(countdown.left()).toBe(6)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(20_000)
  countdown.stop()
  expect(over).toHaveBeenCalledOnce()
  expect(stopped).not.toHaveBeenCalled()
  expect(closed).toHaveBeenCalledOnce()
})

it('only the latest countdown is the newest, and when it finishes, the one before it becomes the newest again', () => {
  const [first, second] = [begin(), begin()]
  const heard = vi.fn<() => void>()
  first.countdown.subscribe(heard)
  expect([first.countdown.isNewest(), second.countdown.isNewest()]).toEqual([false, true])
  second.countdown.finish()
  expect(first.countdown.isNewest()).toBe(true)
  expect(heard).toHaveBeenCalledOnce()
  first.countdown.finish()
})

it('a countdown pauses while the user reads its message', () => {
  const { countdown, over } = begin(1)
  countdown.hold(true)
  vi.advanceTimersByTime(5000)
  expect(over).not.toHaveBeenCalled()
  countdown.hold(false)
  vi.advanceTimersByTime(1000)
  expect(over).toHaveBeenCalledOnce()
})

it('a countdown pauses while a dialog covers its message', () => {
  const { over } = begin(1)
  vi.stubGlobal('document', { querySelector: () => ({}) })
  vi.advanceTimersByTime(5000)
  expect(over).not.toHaveBeenCalled()
  vi.stubGlobal('document', { querySelector: () => null })
  vi.advanceTimersByTime(1000)
  expect(over).toHaveBeenCalledOnce()
})

it('Ctrl+Z stops the newest running countdown first', () => {
  const first = begin()
  const second = begin()
  expect(stopNewestCountdown()).toBe(true)
  expect(second.stopped).toHaveBeenCalledOnce()
  expect(first.stopped).not.toHaveBeenCalled()
  finishCountdowns()
  expect(first.over).toHaveBeenCalledOnce()
  expect(stopNewestCountdown()).toBe(false)
})

it('Ctrl+Z is left to a focused field that contains text, but not to an empty field', () => {
  const field = (more: object, closing = false) => ({ closest: () => (closing ? ({} as Element) : null), ...more })
  expect(hasOwnUndo(null)).toBe(false)
  expect(hasOwnUndo(field({ value: '' }))).toBe(false)
  expect(hasOwnUndo(field({ value: 'Brick' }))).toBe(true)
  expect(hasOwnUndo(field({}))).toBe(true)
  expect(hasOwnUndo(field({ value: 'Alan Barker' }, true))).toBe(false)
})
