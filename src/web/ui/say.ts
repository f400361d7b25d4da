import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { ApiError, isOvertaken } from '../api/client.ts'
import { type Meaning, meanings } from '../theme/meaning.ts'
import { type Countdown, startCountdown } from './countdown.ts'
import { RetryNotice, UndoNotice } from './notices.tsx'

const SECOND = 1000
const LOOK = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } }
const tell = (message: string, meaning: Meaning = 'info') =>
  void notifications.show({ message, color: meanings[meaning].fill, autoClose: 4 * SECOND, ...LOOK })

/** What a person is told in passing, in the specification's words. */
export const say = {
  saved: () => tell('Data saved', 'safe'),
  canceled: () => tell('Canceled', 'plain'),
  opened: () => tell('Dialog opened', 'plain'),
  told: tell,
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
}

/** Read when they are back: the window to sign in again stands above it. */
const ENDED = 'Your session had ended: nothing of this was sent. What you typed is still here; please try again.'

/** The sentence for a failure that a person sees. */
export const sentence = (error: unknown): string =>
  error instanceof ApiError && (error.code === 'sign_in_required' || error.code === 'session_ended')
    ? ENDED
    : error instanceof ApiError || typeof error === 'string'
      ? String(error instanceof Error ? error.message : error)
      : 'Something went wrong. What you typed is still here; please try again.'

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
    try {
      await undo()
      tell('Taken back', 'plain')
    } catch (e) {
      say.failed(e, () => void takeBack())
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
