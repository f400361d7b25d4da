import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { fieldAt } from '#kernel/errors.ts'
import { wordsOf } from '#kernel/fields.ts'
import { ApiError, isOvertaken } from '../api/client.ts'
import { type Meaning, meanings } from '../theme/meaning.ts'
import { type Countdown, startCountdown } from './countdown.ts'
import { OpenNotice, RetryNotice, UndoNotice } from './notices.tsx'

const SECOND = 1000
const LOOK = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } }
const tell = (message: string, meaning: Meaning = 'info') =>
  void notifications.show({ message, color: meanings[meaning].fill, autoClose: 4 * SECOND, ...LOOK })

/** What a person is told in passing, in the specification's words. */
export const toast = {
  saved: (what: string) => tell(`Data saved: ${what}`, 'safe'),
  canceled: () => tell('Canceled', 'plain'),
  opened: () => tell('Dialog opened', 'plain'),
  info: tell,
  /** What went wrong, until it is closed; with a way to try again when there is one. */
  failed: (error: unknown, retry?: () => void) => {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const again =
      retry &&
      !isOvertaken(error) &&
      (() => {
        notifications.hide(id)
        retry()
      })
    notifications.show({
      id,
      message: createElement(RetryNotice, { message: sentence(error), ...(again ? { retry: again } : {}) }),
      color: meanings.stop.fill,
      autoClose: again ? false : 10 * SECOND,
      ...LOOK,
    })
  },
  /** What somebody believes to be done and is not, until it is closed; with the way to it. */
  lost: (message: string, open: () => void) => {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const look = () => {
      notifications.hide(id)
      open()
    }
    notifications.show({
      id,
      message: createElement(OpenNotice, { message, open: look }),
      color: meanings.stop.fill,
      autoClose: false,
      ...LOOK,
    })
  },
}

/** Read when they are back: the window to sign in again stands above it. */
const ENDED = 'Your session had ended: nothing of this was sent. What you typed is still here; please try again.'

const NOT_THERE = 'This is about something that is not there any more, or not for you. Please look at how it is now.'

/** The sentence for a failure that a person sees: fields by their names in words, and no address. */
export function sentence(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof ApiError)) return 'Something went wrong. What you typed is still here; please try again.'
  const { code, violations, message } = error
  if (code === 'sign_in_required' || code === 'session_ended') return ENDED
  if (code === 'unknown_target') return NOT_THERE
  if (violations.length === 0) return message
  return violations
    .map(({ propertyPath, message: said }) => (propertyPath ? `${wordsOf(fieldAt(propertyPath))}: ${said}` : said))
    .join('\n')
}

export interface Undoable {
  readonly message: string
  readonly seconds?: number
  readonly undo: () => unknown
  /** For what is only done once the time has run out. It is also done when the page is left. */
  readonly commit?: () => unknown
}

/** Says what was done, with a visible countdown in which it can be taken back: by its button, or by Ctrl Z. */
export function undoable({ message, seconds = 10, undo, commit }: Undoable): Countdown {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const takeBack = async () => {
    const busy = { id: `${id}-back`, message: `Taking back: ${message}`, loading: true, withCloseButton: false }
    notifications.show({ ...busy, autoClose: false, withBorder: true })
    try {
      await undo()
      tell(`Taken back: ${message}`, 'plain')
    } catch (e) {
      toast.failed(e, () => void takeBack())
    } finally {
      notifications.hide(busy.id)
    }
  }
  const countdown = startCountdown(seconds, {
    over: () => commit?.(),
    stopped: () => void takeBack(),
    closed: () => notifications.hide(id),
  })
  notifications.show({
    id,
    message: createElement(UndoNotice, { message, countdown }),
    color: meanings.info.fill,
    autoClose: false,
    withCloseButton: false,
    withBorder: true,
  })
  return countdown
}
