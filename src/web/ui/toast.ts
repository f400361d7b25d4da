import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { violationFieldName } from '#kernel/errors.ts'
import { labelFromName } from '#kernel/fields.ts'
import { ApiError, isConflictError } from '../api/client.ts'
import { type ColourMeaning, meaningStyles } from '../theme/meaning.ts'
import { type Countdown, startCountdown } from './countdown.ts'
import { OpenRecordToast, RetryToast, UndoToast } from './notices.tsx'

const SECOND = 1000
const LOOK = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } }
const tell = (message: string, meaning: ColourMeaning = 'info') =>
  void notifications.show({ message, color: meaningStyles[meaning].fill, autoClose: 4 * SECOND, ...LOOK })

/** Short messages, in the specification's wording. */
export const toast = {
  saved: (what: string) => tell(`Data saved: ${what}`, 'safe'),
  canceled: () => tell('Canceled', 'plain'),
  opened: () => tell('Dialog opened', 'plain'),
  info: tell,
  /** Shows an error. If the action can be retried, the error stays until it is closed. */
  failed: (error: unknown, retry?: () => void) => {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const again =
      retry &&
      !isConflictError(error) &&
      (() => {
        notifications.hide(id)
        retry()
      })
    notifications.show({
      id,
      message: createElement(RetryToast, { message: errorSentence(error), ...(again ? { retry: again } : {}) }),
      color: meaningStyles.stop.fill,
      autoClose: again ? false : 10 * SECOND,
      ...LOOK,
    })
  },
  /**
   * Shows that a change failed after it was shown as done. The message has a button that opens the record, and stays
   * until it is closed.
   */
  lost: (message: string, open: () => void) => {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const look = () => {
      notifications.hide(id)
      open()
    }
    notifications.show({
      id,
      message: createElement(OpenRecordToast, { message, open: look }),
      color: meaningStyles.stop.fill,
      autoClose: false,
      ...LOOK,
    })
  },
}

/** The person reads this message only after signing in again, because until then the sign-in dialog covers it. */
const ENDED = 'Your session had ended, so nothing was sent. What you typed is still here; please try again.'

const NOT_THERE =
  'Something selected here no longer exists, or you do not have access to it. Please check and try again.'

/** Returns the message for an error as shown to users. Fields are named by their labels, and paths are removed. */
export function errorSentence(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof ApiError)) return 'Something went wrong. What you typed is still here; please try again.'
  const { code, violations, message } = error
  if (code === 'sign_in_required' || code === 'session_ended') return ENDED
  if (code === 'unknown_target') return NOT_THERE
  if (violations.length === 0) return message
  return violations
    .map(({ propertyPath, message: said }) =>
      propertyPath ? `${labelFromName(violationFieldName(propertyPath))}: ${said}` : said,
    )
    .join('\n')
}

export interface UndoableAction {
  readonly message: string
  readonly seconds?: number
  readonly undo: () => unknown
  /** Action that is delayed until the countdown ends. The action also runs if the person leaves the page. */
  readonly commit?: () => unknown
}

/**
 * Shows a completed action with a countdown. Until the countdown ends, the action can be undone with the button or with
 * Ctrl+Z.
 */
export function showUndoToast({ message, seconds = 10, undo, commit }: UndoableAction): Countdown {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const takeBack = async () => {
    const busy = { id: `${id}-back`, message: `Undoing: ${message}`, loading: true, withCloseButton: false }
    notifications.show({ ...busy, autoClose: false, withBorder: true })
    try {
      await undo()
      tell(`Undone: ${message}`, 'plain')
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
    message: createElement(UndoToast, { message, countdown }),
    color: meaningStyles.info.fill,
    autoClose: false,
    withCloseButton: false,
    withBorder: true,
  })
  return countdown
}
